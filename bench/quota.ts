import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { startRedis } from '../test/services/redis.ts';
import type { SentCall, WorkerSettings, WorkOrder } from './quota-worker.ts';
import { percentile, printTable } from './statistics.ts';

/** Window, margin and latency are 30 times shorter than the real ones. */
const windowMs = 2_000;
const latencyMs = 10;
const limit = 50;
const backgroundQuota = 40;
const readCount = 300;
const userCallEveryMs = 500;

/** Time limit of a run: twice the time that the reads take at the lane's ideal rate. */
const maxRunMs = 2 * (readCount / backgroundQuota) * windowMs;

interface Result {
  /** Maximum number of calls that reached the service within one window. */
  readonly worstWindow: number;
  /** How fast the background reads were sent, as a share of the lane's ideal rate. */
  readonly rate: number;
  readonly userWaitsMs: readonly number[];
}

const callLogSchema = z.object({ calls: z.array(z.object({ at: z.number() })) });

/**
 * Measures 300 background reads and people's calls under a quota of 50 per window, and compares
 * with a plain Bottleneck reservoir. Does so once in one process, and once in three processes of
 * which one gets killed.
 */
export async function benchQuota(): Promise<void> {
  console.log(
    `\nQuota of ${limit} calls in any ${windowMs / 1000} s: ${readCount} background reads, a person every ${userCallEveryMs / 1000} s, latency ${latencyMs} ms`,
  );
  const rows: string[][] = [];
  for (const processes of [1, 3]) {
    const [ours, baseline] = await Promise.all([
      measure('rackhand', processes),
      measure('reservoir', processes),
    ]);
    const name = processes === 1 ? '1 process' : '3 over Redis, 1 killed';
    rows.push([`${name}: Rackhand`, ...formatCells(ours), '1.00 × of quota or less']);
    rows.push([`${name}: reservoir`, ...formatCells(baseline), '']);
  }
  printTable(
    ['', 'worst window', 'of quota', 'rate of ideal', 'person p50, ms', 'person max, ms', 'aim'],
    rows,
  );
}

function formatCells({ worstWindow, rate, userWaitsMs }: Result): string[] {
  return [
    `${worstWindow}`,
    `${(worstWindow / limit).toFixed(2)} ×`,
    `${(rate * 100).toFixed(1)}%`,
    percentile(userWaitsMs, 0.5).toFixed(1),
    Math.max(...userWaitsMs).toFixed(1),
  ];
}

async function measure(kind: WorkerSettings['kind'], processes: number): Promise<Result> {
  // The service accepts everything, so that every call counts.
  const service = await createHostingSandbox({ port: 0, quota: 1_000_000, latencyMs });
  const redis = processes > 1 ? await startRedis() : undefined;
  const settings: WorkerSettings = {
    ...{ kind, limit, windowMs, url: `${service.url}/v1/vps` },
    ...(redis && { redisUrl: redis.url }),
  };
  const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(settings)));
  // Waits until the first calls have left the window, then starts the work in the middle of a
  // window.
  await new Promise((resolve) => setTimeout(resolve, 2.75 * windowMs));

  const sent: (SentCall & { readonly worker: ChildProcess; readonly atMs: number })[] = [];
  for (const worker of workers)
    worker.on('message', (call: SentCall) => sent.push({ ...call, worker, atMs: performance.now() }));
  const startedMs = performance.now();
  workers.forEach((worker, i) => {
    const share = Math.floor((readCount * (i + 1)) / processes) - Math.floor((readCount * i) / processes);
    // No calls of people are sent by the process that gets killed.
    const isKilled = processes > 1 && i === 0;
    worker.send({ reads: share, personEveryMs: isKilled ? 0 : userCallEveryMs } satisfies WorkOrder);
  });

  const sentReads = () => sent.filter(({ lane }) => lane === 'background');
  let expected = readCount;
  const [first] = workers;
  if (processes > 1 && first) {
    await waitUntil(() => sentReads().length >= readCount / 2);
    first.kill('SIGKILL');
    await once(first, 'exit');
    expected -=
      Math.floor(readCount / processes) - sentReads().filter(({ worker }) => worker === first).length;
  }
  await waitUntil(() => sentReads().length >= expected);
  for (const worker of workers) worker.kill('SIGKILL');

  const lastMs = Math.max(...sentReads().map(({ atMs }) => atMs)) - startedMs;
  const response = await fetch(`${service.url}/sandbox/calls`);
  const { calls } = callLogSchema.parse(await response.json());
  await Promise.all([service.close(), redis?.stop()]);
  return {
    worstWindow: findWorstWindow(calls.map(({ at }) => at)),
    rate: ((Math.ceil(expected / backgroundQuota) - 1) * (windowMs + latencyMs)) / lastMs,
    userWaitsMs: sent.filter(({ lane }) => lane === 'people').map(({ queuedMs }) => queuedMs),
  };
}

async function startWorker(settings: WorkerSettings): Promise<ChildProcess> {
  const worker = fork(new URL('./quota-worker.ts', import.meta.url), [JSON.stringify(settings)]);
  for (;;) {
    const [message] = await once(worker, 'message');
    if (message === 'ready') return worker;
  }
}

async function waitUntil(condition: () => boolean): Promise<void> {
  for (const endMs = performance.now() + maxRunMs; !condition(); ) {
    if (performance.now() > endMs) throw new Error(`the reads were not sent within ${maxRunMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function findWorstWindow(timesMs: readonly number[]): number {
  return Math.max(
    ...timesMs.map((from) => timesMs.filter((at) => at >= from && at < from + windowMs).length),
  );
}

if (import.meta.main) await benchQuota();
