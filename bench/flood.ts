import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { recordReached } from './aims.ts';
import { readStartFlags, signSlashCommand, startBenchEnvironment } from './bench-environment.ts';
import { bundleApp } from './bundle-apps.ts';
import { median, percentile, printTable } from './statistics.ts';

/** The commands, each with a text that only its answer contains. */
const commands = {
  help: 'What you can do',
  list: 'VPS-10012',
  'show VPS-10001': 'web-01 (VPS-10001)',
} as const;
type Command = keyof typeof commands;

const ratesPerSecond = [5, 20, 50, 200];
const floodMs = 8_000;
/** How often a rate with an aim is measured. */
const rounds = 5;
/** Commands before the measured ones, so that the code is compiled. */
const warmUpCount = 300;
/** Longest wait for responses after the last command. */
const patienceMs = 60_000;

interface Flood {
  readonly sentCount: number;
  readonly answeredCount: number;
  readonly rejectedCount: number;
  readonly ackP50Ms: number;
  readonly ackP99Ms: number;
  readonly answerP50Ms: number;
  readonly answerP99Ms: number;
  /** CPU time of the app per answered command. */
  readonly cpuMs: number;
}

/**
 * Measures commands at fixed rates. A slow app gets no fewer commands, as with real people. The
 * service takes 50 calls a minute, so that faster reads are shared.
 */
export async function benchFlood(): Promise<void> {
  const answeredAtMs = new Map<string, number>();
  let expected = '';
  const environment = await startBenchEnvironment(({ id, body, atMs }) => {
    if (body.includes(expected)) answeredAtMs.set(id, atMs);
  });

  async function send(
    pool: Pool,
    id: string,
    command: Command,
  ): Promise<{ ackMs: number; isRejected: boolean }> {
    const responseUrl = environment.responseUrl(id);
    const { body, headers } = signSlashCommand(command, { id, responseUrl });
    const sentMs = performance.now();
    const response = await pool.request({ method: 'POST', path: '/slack/events', headers, body });
    const text = await response.body.text();
    return { ackMs: performance.now() - sentMs, isRejected: text !== '' };
  }

  async function waitForAnswers(ids: readonly string[]): Promise<void> {
    const untilMs = performance.now() + patienceMs;
    while (performance.now() < untilMs && !ids.every((id) => answeredAtMs.has(id))) await delay(20);
  }

  async function flood(command: Command, ratePerSecond: number): Promise<Flood> {
    answeredAtMs.clear();
    expected = commands[command];
    const app = await environment.start(await bundleApp('rackhand-app'), readStartFlags());
    const pool = new Pool(`http://127.0.0.1:${app.port}`, { connections: 200 });
    const warmUpIds = Array.from({ length: warmUpCount }, (_, index) => `warm.${app.port}.${index}`);
    for (const id of warmUpIds) await send(pool, id, command);
    await waitForAnswers(warmUpIds);

    const cpuBeforeMs = app.cpuMs();
    const startMs = performance.now();
    const sent: Promise<{ id: string; sentMs: number; ackMs: number; isRejected: boolean }>[] = [];
    for (let index = 0; index < (ratePerSecond * floodMs) / 1000; index += 1) {
      const dueMs = startMs + (index * 1000) / ratePerSecond;
      await delay(Math.max(0, dueMs - performance.now()));
      const id = `flood.${app.port}.${index}`;
      // A timer can fire up to 1 ms early.
      const sentMs = Math.min(dueMs, performance.now());
      sent.push(send(pool, id, command).then((result) => ({ id, sentMs, ...result })));
    }
    const results = await Promise.all(sent);
    const accepted = results.filter(({ isRejected }) => !isRejected);
    await waitForAnswers(accepted.map(({ id }) => id));
    const answerMs = accepted.flatMap(({ id, sentMs }) => {
      const atMs = answeredAtMs.get(id);
      return atMs === undefined ? [] : [atMs - sentMs];
    });
    const cpuMs = (app.cpuMs() - cpuBeforeMs) / Math.max(1, answerMs.length);
    await pool.close();
    await app.kill();
    const ackMs = results.map((result) => result.ackMs);
    return {
      sentCount: results.length,
      answeredCount: answerMs.length,
      rejectedCount: results.length - accepted.length,
      ackP50Ms: percentile(ackMs, 0.5),
      ackP99Ms: percentile(ackMs, 0.99),
      answerP50Ms: percentile(answerMs, 0.5),
      answerP99Ms: percentile(answerMs, 0.99),
      cpuMs,
    };
  }

  const rows: string[][] = [];
  async function measure(command: Command, rate: number, label = '', roundCount = 1) {
    const floods: Flood[] = [];
    for (let round = 0; round < roundCount; round += 1) floods.push(await flood(command, rate));
    const medianOf = (field: keyof Flood) => median(floods.map((one) => one[field]));
    rows.push([
      command,
      `${rate}/s${label}${roundCount > 1 ? `, medians of ${roundCount}` : ''}`,
      `${medianOf('answeredCount')} of ${medianOf('sentCount')}`,
      `${medianOf('rejectedCount')}`,
      medianOf('ackP50Ms').toFixed(1),
      medianOf('ackP99Ms').toFixed(1),
      medianOf('answerP50Ms').toFixed(0),
      medianOf('answerP99Ms').toFixed(0),
      medianOf('cpuMs').toFixed(1),
    ]);
    return medianOf;
  }

  await measure('help', 5);
  await measure('help', 20);
  recordReached('cpuMs', (await measure('help', 50, '', rounds))('cpuMs'));
  const fastest = await measure('help', 200, '', rounds);
  recordReached('answeredPercent', (fastest('answeredCount') / fastest('sentCount')) * 100);
  recordReached('answerMs', fastest('answerP50Ms'));
  recordReached('ackMs', fastest('ackP99Ms'));
  for (const command of ['list', 'show VPS-10001'] as const)
    for (const rate of ratesPerSecond) await measure(command, rate);
  const endWriter = await environment.startDiskWriter();
  const label = ' beside a process that writes to the disk';
  recordReached('ackBesideWriterMs', (await measure('help', 50, label, rounds))('ackP99Ms'));
  await endWriter();
  await environment.close();
  console.log(
    `\nSlash commands by signed HTTP at a fixed rate for ${floodMs / 1000} s, whatever the app takes`,
  );
  printTable(
    [
      'command',
      'rate',
      'answered',
      'turned away',
      'ack p50, ms',
      'ack p99',
      'answer p50',
      'answer p99',
      'CPU per answer',
    ],
    rows,
  );
}

if (import.meta.main) await benchFlood();
