import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { startRedis } from '../test/services/redis.ts';
import { percentile, printTable } from './figures.ts';
import type { Left, Work, WorkerSettings } from './quota-worker.ts';

/** A thirtieth of the real scale: window, margin and latency alike. */
const windowMs = 2_000;
const latencyMs = 10;
const limit = 50;
const laneLimit = 40;
const reads = 300;
const personEveryMs = 500;

/** Longest that a run may take: twice of what the lane's ideal rate would take. */
const longestMs = 2 * (reads / laneLimit) * windowMs;

interface Result {
  /** Most calls that arrived at the service within one window. */
  readonly worstWindow: number;
  /** Reads that left, in the share of the time that the lane's ideal rate would have taken. */
  readonly rate: number;
  readonly personWaitsMs: readonly number[];
}

const callLog = z.object({ calls: z.array(z.object({ at: z.number() })) });

/**
 * Measures how the quota spends 50 calls a window on 300 background reads beside people's calls, next to a plain
 * Bottleneck whose reservoir refreshes every window, in the same run: in one process, and in three, of which one is killed.
 */
export async function benchQuota(): Promise<void> {
  console.log(
    `\nQuota of ${limit} calls in any ${windowMs / 1000} s: ${reads} background reads, a person every ${personEveryMs / 1000} s, latency ${latencyMs} ms`,
  );
  const rows: string[][] = [];
  for (const processes of [1, 3]) {
    const [ours, baseline] = await Promise.all([
      measure('rackhand', processes),
      measure('reservoir', processes),
    ]);
    const name = processes === 1 ? '1 process' : '3 over Redis, 1 killed';
    rows.push([`${name}: Rackhand`, ...cells(ours), '1.00 × of quota or less']);
    rows.push([`${name}: reservoir`, ...cells(baseline), '']);
  }
  printTable(
    ['', 'worst window', 'of quota', 'rate of ideal', 'person p50, ms', 'person max, ms', 'aim'],
    rows,
  );
}

function cells({ worstWindow, rate, personWaitsMs }: Result): string[] {
  return [
    `${worstWindow}`,
    `${(worstWindow / limit).toFixed(2)} ×`,
    `${(rate * 100).toFixed(1)} %`,
    percentile(personWaitsMs, 0.5).toFixed(1),
    Math.max(...personWaitsMs).toFixed(1),
  ];
}

async function measure(kind: WorkerSettings['kind'], processes: number): Promise<Result> {
  // The service itself refuses nothing, so that every call that arrives is counted.
  const service = await createHostingSandbox({ port: 0, quota: 1_000_000, latencyMs });
  const redis = processes > 1 ? await startRedis() : undefined;
  const settings: WorkerSettings = {
    ...{ kind, limit, windowMs, url: `${service.url}/v1/vps` },
    ...(redis && { redisUrl: redis.url }),
  };
  const workers = await Promise.all(Array.from({ length: processes }, () => start(settings)));
  // The first calls are out of the window, and the work arrives in the midst of one.
  await new Promise((resolve) => setTimeout(resolve, 2.75 * windowMs));

  const left: (Left & { readonly worker: ChildProcess; readonly atMs: number })[] = [];
  for (const worker of workers)
    worker.on('message', (call: Left) => left.push({ ...call, worker, atMs: performance.now() }));
  const startedMs = performance.now();
  workers.forEach((worker, i) => {
    const share = Math.floor((reads * (i + 1)) / processes) - Math.floor((reads * i) / processes);
    // People ask only where they can be answered to the end.
    const isKilled = processes > 1 && i === 0;
    worker.send({ reads: share, personEveryMs: isKilled ? 0 : personEveryMs } satisfies Work);
  });

  const readsLeft = () => left.filter(({ lane }) => lane === 'background');
  let expected = reads;
  const [first] = workers;
  if (processes > 1 && first) {
    await until(() => readsLeft().length >= reads / 2);
    first.kill('SIGKILL');
    await once(first, 'exit');
    expected -= Math.floor(reads / processes) - readsLeft().filter(({ worker }) => worker === first).length;
  }
  await until(() => readsLeft().length >= expected);
  for (const worker of workers) worker.kill('SIGKILL');

  const lastMs = Math.max(...readsLeft().map(({ atMs }) => atMs)) - startedMs;
  const answer = await fetch(`${service.url}/sandbox/calls`);
  const { calls } = callLog.parse(await answer.json());
  await Promise.all([service.close(), redis?.stop()]);
  return {
    worstWindow: worst(calls.map(({ at }) => at)),
    rate: ((Math.ceil(expected / laneLimit) - 1) * (windowMs + latencyMs)) / lastMs,
    personWaitsMs: left.filter(({ lane }) => lane === 'people').map(({ waitedMs }) => waitedMs),
  };
}

async function start(settings: WorkerSettings): Promise<ChildProcess> {
  const worker = fork(new URL('./quota-worker.ts', import.meta.url), [JSON.stringify(settings)]);
  for (;;) {
    const [message] = await once(worker, 'message');
    if (message === 'ready') return worker;
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (const endMs = performance.now() + longestMs; !condition(); ) {
    if (performance.now() > endMs) throw new Error(`the reads did not leave within ${longestMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function worst(timesMs: readonly number[]): number {
  return Math.max(
    ...timesMs.map((from) => timesMs.filter((at) => at >= from && at < from + windowMs).length),
  );
}

if (import.meta.main) await benchQuota();
