import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { startRedis } from '../test/services/redis.ts';
import type { CallReport, WorkerSettings, WorkOrder } from './quota-worker.ts';
import { mean, percentile, printTable } from './statistics.ts';

/** Window, margin and latency are 30 times shorter than the real ones. */
const windowMs = 2_000;
const latencyMs = 10;
const limit = 50;
const backgroundQuota = 40;
const readCount = 400;
const userCallEveryMs = 500;
/** Reads that one person asks for at once, right before another person asks for one. */
const greedyReadCount = 200;

/** Time limit of a run: twice the time that the reads take at the lane's ideal rate. */
const maxRunMs = 2 * (readCount / backgroundQuota) * windowMs;

interface Result {
  /** Maximum number of calls that reached the service within one window. */
  readonly worstWindow: number;
  /**
   * How fast the background reads were sent, as a share of the lane's ideal rate. Ideally, each slot
   * is used again one window after its call was answered.
   */
  readonly rate: number;
  readonly userWaitsMs: readonly number[];
}

type SentCall = Extract<CallReport, { kind: 'sent' }> & {
  readonly worker: ChildProcess;
  readonly atMs: number;
};

const callLogSchema = z.object({ calls: z.array(z.object({ at: z.number() })) });

/** Lists what is measured. BENCH_BASELINE is the rate limiter's module in another checkout, to compare with. */
function listLimiters(): readonly { readonly name: string; readonly limiter: string }[] {
  const baseline = process.env.BENCH_BASELINE;
  return [
    { name: 'Rackhand', limiter: new URL('../src/hosting/rate-limit/rate-limiter.ts', import.meta.url).href },
    ...(baseline ? [{ name: 'baseline', limiter: pathToFileURL(baseline).href }] : []),
    { name: 'reservoir', limiter: 'reservoir' },
  ];
}

/**
 * Measures a backlog of background reads and people's calls under a quota of 50 per window, and
 * compares with a plain Bottleneck reservoir. Does so once in one process, and once in three
 * processes of which one gets killed. Then measures how long a person waits behind another.
 */
export async function benchQuota(): Promise<void> {
  console.log(
    `\nQuota of ${limit} calls in any ${windowMs / 1000} s: ${readCount} background reads, a person every ${userCallEveryMs / 1000} s, latency ${latencyMs} ms`,
  );
  const rows: string[][] = [];
  for (const processes of [1, 3]) {
    for (const { name, limiter } of listLimiters()) {
      const place = processes === 1 ? '1 process' : '3 over Redis, 1 killed';
      const aim = limiter === 'reservoir' ? '' : '50, 99 %, 250 ms';
      rows.push([`${place}: ${name}`, ...formatCells(await measure(limiter, processes)), aim]);
    }
  }
  printTable(
    ['', 'worst window', 'of quota', 'rate of ideal', 'person p50, ms', 'person max, ms', 'aim'],
    rows,
  );

  console.log(`\nOne read of a person right after ${greedyReadCount} reads of another, wait in ms`);
  const waits: string[][] = [];
  for (const { name, limiter } of listLimiters()) {
    const one = await measureFairness(limiter, 1);
    waits.push([name, one.toFixed(1), (await measureFairness(limiter, 2)).toFixed(1)]);
  }
  printTable(['', '1 process', 'two over Redis'], waits);
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

async function startWorkers(limiter: string, processes: number) {
  // The service accepts everything, so that every call counts.
  const service = await createHostingSandbox({ port: 0, quota: 1_000_000, latencyMs });
  const redis = processes > 1 ? await startRedis() : undefined;
  const settings: WorkerSettings = {
    ...{ limiter, limit, windowMs, url: `${service.url}/v1/vps` },
    ...(redis && { redisUrl: redis.url }),
  };
  const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(settings)));
  // Waits until the first calls have left the window, then starts the work in the middle of a
  // window.
  await new Promise((resolve) => setTimeout(resolve, 2.75 * windowMs));
  const sent: SentCall[] = [];
  const durationsMs: number[] = [];
  for (const worker of workers) {
    worker.on('message', (report: CallReport) => {
      if (report.kind === 'sent') sent.push({ ...report, worker, atMs: performance.now() });
      else durationsMs.push(report.durationMs);
    });
  }
  return {
    service,
    workers,
    sent,
    durationsMs,
    async stop() {
      for (const worker of workers) worker.kill('SIGKILL');
      await Promise.all([service.close(), redis?.stop()]);
    },
  };
}

async function measure(limiter: string, processes: number): Promise<Result> {
  const { service, workers, sent, durationsMs, stop } = await startWorkers(limiter, processes);
  const startedMs = performance.now();
  workers.forEach((worker, i) => {
    const share = Math.floor((readCount * (i + 1)) / processes) - Math.floor((readCount * i) / processes);
    // No calls of people are sent by the process that gets killed.
    const isKilled = processes > 1 && i === 0;
    worker.send({
      batches: [{ lane: 'background', count: share }],
      personEveryMs: isKilled ? 0 : userCallEveryMs,
    } satisfies WorkOrder);
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

  const lastMs = Math.max(...sentReads().map(({ atMs }) => atMs)) - startedMs;
  const response = await fetch(`${service.url}/sandbox/calls`);
  const { calls } = callLogSchema.parse(await response.json());
  await stop();
  return {
    worstWindow: findWorstWindow(calls.map(({ at }) => at)),
    rate: ((Math.ceil(expected / backgroundQuota) - 1) * (windowMs + mean(durationsMs))) / lastMs,
    userWaitsMs: sent.filter(({ lane }) => lane === 'people').map(({ queuedMs }) => queuedMs),
  };
}

/** Returns how many ms the read of the second person waits. The last process makes it. */
async function measureFairness(limiter: string, processes: number): Promise<number> {
  const { workers, sent, stop } = await startWorkers(limiter, processes);
  const lane = 'people';
  workers[0]?.send({
    batches: [{ lane, line: 'greedy', count: greedyReadCount }],
    personEveryMs: 0,
  } satisfies WorkOrder);
  // By then, the first person's calls have taken the slots that they can get.
  await new Promise((resolve) => setTimeout(resolve, windowMs / 4));
  workers
    .at(-1)
    ?.send({ batches: [{ lane, line: 'modest', count: 1 }], personEveryMs: 0 } satisfies WorkOrder);
  const find = () => sent.find(({ line }) => line === 'modest');
  await waitUntil(() => find() !== undefined);
  await stop();
  return find()?.queuedMs ?? Number.NaN;
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
    if (performance.now() > endMs) throw new Error(`the calls were not sent within ${maxRunMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function findWorstWindow(timesMs: readonly number[]): number {
  return Math.max(
    ...timesMs.map((from) => timesMs.filter((at) => at >= from && at < from + windowMs).length),
  );
}

if (import.meta.main) await benchQuota();
