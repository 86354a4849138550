import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { createPostgresDatabase } from '../test/services/postgres.ts';
import { percentile } from './program.ts';
import type { CallReport, WorkerSettings, WorkOrder } from './quota-worker.ts';

const limit = 50;
const windowMs = 60_000;
const latencyMs = 200;
/** How many calls of the background can be sent in a window. */
const backgroundLimit = 40;
const readCount = 200;
/** The reads of one person, right before another person asks for one. */
const greedyReadCount = 200;
/** Few enough for the slots that the background leaves free. */
const personCallsPerWindow = 7;

/** How many reads the other person asks for. The first one's share leaves ten slots. */
const modestCount = 5;

const [busyKey, greedyKey] = ['sandbox-key-full', 'sandbox-key-read'];

const callLogSchema = z.object({ calls: z.array(z.object({ at: z.number(), key: z.string().nullable() })) });

/**
 * Measures a backlog of background reads beside people's calls, with a quota of 50 in 60 s: in one
 * process on SQLite, and in three on PostgreSQL of which one gets killed. At the same time, a person asks
 * for five reads, one after the other, behind another's 200, with another key.
 */
export async function benchQuota(): Promise<void> {
  console.log(`\nQuota of ${limit}: ${readCount} background reads, people's calls, latency ${latencyMs} ms`);
  const [one, three] = await Promise.all([measure(1), measure(3)]);
  console.table({ '1 process': one, '3 processes, 1 killed': three });
}

async function measure(processes: number) {
  // The service accepts everything, so that every call counts.
  const service = await createHostingSandbox({ port: 0, quota: 1_000_000, latencyMs });
  const directory = await mkdtemp(join(tmpdir(), 'rackhand-bench-'));
  const postgres = processes > 1 ? await createPostgresDatabase() : undefined;
  const databaseUrl = postgres?.url ?? `sqlite:${join(directory, 'bench.db')}`;
  const settings = { url: `${service.url}/v1/vps`, databaseUrl, limit, windowMs };
  const reports: (CallReport & { readonly worker: ChildProcess; readonly atMs: number })[] = [];
  const workers: ChildProcess[] = [];
  for (let index = 0; index < processes; index += 1) {
    const worker = await startWorker(settings);
    worker.on('message', (report: CallReport) =>
      reports.push({ ...report, worker, atMs: performance.now() }),
    );
    workers.push(worker);
  }
  const startedMs = performance.now();
  const countReads = (from: typeof reports) =>
    from.filter(({ kind, lane }) => kind === 'sent' && lane === 'background').length;
  const waitsOf = (caller: string) =>
    reports.flatMap((report) => (report.kind === 'sent' && report.caller === caller ? report.queuedMs : []));
  const send = (worker: ChildProcess | undefined, order: WorkOrder) => worker?.send(order);
  const [first] = workers;
  const last = workers.at(-1);
  for (const [index, worker] of workers.entries()) {
    const count = Math.ceil(readCount / processes / 2);
    for (const report of ['a', 'b'])
      send(worker, { lane: 'background', caller: `${index}${report}`, apiKey: busyKey, count });
  }
  let personCount = 0;
  const persons = setInterval(() => {
    personCount += 1;
    send(last, { lane: 'people', caller: 'person', apiKey: busyKey, count: 1 });
  }, windowMs / personCallsPerWindow);
  send(first, { lane: 'people', caller: 'greedy', apiKey: greedyKey, count: greedyReadCount });
  for (let count = 0; count < modestCount; count += 1) {
    await delay(windowMs / 10);
    send(last, { lane: 'people', caller: 'modest', apiKey: greedyKey, count: 1 });
  }

  let expected = Math.ceil(readCount / processes / 2) * 2 * processes;
  if (first && processes > 1) {
    while (countReads(reports) < expected / 2) await delay(10);
    first.kill('SIGKILL');
    await once(first, 'exit');
    expected -= expected / processes - countReads(reports.filter(({ worker }) => worker === first));
  }
  while (countReads(reports) < expected) await delay(10);

  const tookMs = performance.now() - startedMs;
  clearInterval(persons);
  // A call that still waits must not be missing from the figures.
  while (waitsOf('person').length < personCount || waitsOf('modest').length < modestCount) await delay(10);
  const { calls } = callLogSchema.parse(await (await fetch(`${service.url}/sandbox/calls`)).json());
  for (const worker of workers) worker.kill('SIGKILL');
  await Promise.all([service.close(), postgres?.stop(), rm(directory, { recursive: true })]);
  const durationsMs = reports.flatMap((report) => (report.kind === 'answered' ? report.durationMs : []));
  // Ideally, each slot is used again one window after its call was answered.
  const idealMs = (Math.ceil(expected / backgroundLimit) - 1) * (windowMs + percentile(durationsMs, 0.5));
  const timesOf = (key: string) => calls.filter((call) => call.key === key).map(({ at }) => at);
  return {
    'worst window': Math.max(...[busyKey, greedyKey].map((key) => findWorstWindow(timesOf(key)))),
    'rate of ideal': `${((idealMs / tookMs) * 100).toFixed(1)}%`,
    'person p50, ms': Math.round(percentile(waitsOf('person'), 0.5)),
    'person max, ms': Math.round(Math.max(...waitsOf('person'))),
    'behind 200 reads, ms': Math.round(Math.max(...waitsOf('modest'))),
  };
}

async function startWorker(settings: WorkerSettings): Promise<ChildProcess> {
  const worker = fork(new URL('./quota-worker.ts', import.meta.url), [JSON.stringify(settings)]);
  await once(worker, 'message');
  return worker;
}

function findWorstWindow(timesMs: readonly number[]): number {
  return Math.max(
    ...timesMs.map((from) => timesMs.filter((at) => at >= from && at < from + windowMs).length),
  );
}
