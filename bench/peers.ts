import { execFileSync, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { recordReached } from './aims.ts';
import { readCpuMs, readResidentMb, readStartFlags } from './bench-environment.ts';
import { bundleApp } from './bundle-apps.ts';
import { startSocketServer } from './peers/socket-server.ts';
import { median, percentile, printTable } from './statistics.ts';

/** Installed while the bench runs, so that Rackhand's own installation stays small. */
const packages = {
  '@slack/bolt': '5.1.0',
  hubot: '14.1.0',
  '@hubot-friends/hubot-slack': '3.8.0',
  chat: '4.41.1',
  '@chat-adapter/slack': '4.41.1',
  '@chat-adapter/state-memory': '4.41.0',
};

const ratesPerSecond = [20, 50, 200];
/** How often the memory under load is measured. */
const rounds = 5;
const floodMs = 8_000;
/** Messages before the measured ones, so that the code is compiled. */
const warmUpCount = 300;
/** Longest wait for answers after the last message. */
const patienceMs = 60_000;

/**
 * Measures Rackhand beside bare Bolt, Hubot and Vercel's Chat SDK. Each acknowledges direct messages
 * over Socket Mode, and answers each with one message.
 */
export async function benchPeers(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-peers-'));
  const hosting = await createHostingSandbox({ port: 0 });
  try {
    writeFileSync(
      join(directory, 'package.json'),
      JSON.stringify({ type: 'module', dependencies: packages }),
    );
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
      cwd: directory,
    });
    cpSync(new URL('peers/', import.meta.url), directory, { recursive: true });
    const bolt: App = { name: 'bare Bolt', program: join(directory, 'bolt.mjs') };
    const rackhand: App = {
      name: 'Rackhand',
      program: await bundleApp('socket-app'),
      // Each start has a new encryption key, and so needs a new database.
      listArgs: () => [`sqlite:${join(directory, `${randomUUID()}.db`)}`, hosting.url],
      flags: readStartFlags(),
    };
    const apps: readonly App[] = [
      bolt,
      { name: 'Hubot', program: join(directory, 'hubot.mjs') },
      { name: 'Chat SDK', program: join(directory, 'chat.mjs') },
      rackhand,
    ];
    const rows: string[][] = [];
    for (const app of apps) rows.push(...(await measure(app, ratesPerSecond)).rows);
    const residentMb: { bolt: number; rackhand: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      residentMb.push({
        rackhand: (await measure(rackhand, [200])).residentMb,
        bolt: (await measure(bolt, [200])).residentMb,
      });
    }
    const medianOf = (name: 'bolt' | 'rackhand') => median(residentMb.map((round) => round[name]));
    console.log(
      `\nDirect messages over Socket Mode at a fixed rate for ${floodMs / 1000} s, one answer each`,
    );
    printTable(
      [
        'app',
        'rate',
        'answered',
        'ack p50, ms',
        'ack p99',
        'answer p50',
        'answer p99',
        'CPU per answer',
        'ready, ms',
        'MB after',
      ],
      rows,
    );
    console.log(
      `After 200 a second only, medians of ${rounds}: Rackhand ${medianOf('rackhand').toFixed(0)} MB, bare Bolt ${medianOf('bolt').toFixed(0)} MB`,
    );
    recordReached('loadMemoryMb', medianOf('rackhand') - medianOf('bolt'));
  } finally {
    await hosting.close();
    rmSync(directory, { recursive: true });
  }
}

interface App {
  readonly name: string;
  readonly program: string;
  readonly listArgs?: () => readonly string[];
  readonly flags?: readonly string[];
}

/** Returns a row of figures for each rate, and the memory after the last one. */
async function measure(
  { name, program, listArgs = () => [], flags = [] }: App,
  rates: readonly number[],
): Promise<{ rows: string[][]; residentMb: number }> {
  const ackedAtMs = new Map<string, number>();
  const answeredAtMs = new Map<string, number>();
  const server = await startSocketServer({
    onAcked: (id) => ackedAtMs.set(id, performance.now()),
    onPosted: (id) => answeredAtMs.set(id, performance.now()),
  });
  const startedMs = performance.now();
  const child = fork(program, [server.apiUrl, ...listArgs()], {
    execArgv: [...flags],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  const readyMs = performance.now() - startedMs;
  const pid = child.pid ?? 0;
  try {
    await send('W', warmUpCount, 100);
    const rows: string[][] = [];
    for (const rate of rates) {
      const cpuBeforeMs = readCpuMs(pid);
      const sentAtMs = await send(`${rate}X`, (rate * floodMs) / 1000, rate);
      const cpuMs = readCpuMs(pid) - cpuBeforeMs;
      const ackMs = subtract(ackedAtMs, sentAtMs);
      const answerMs = subtract(answeredAtMs, sentAtMs);
      rows.push([
        name,
        `${rate}/s`,
        `${answerMs.length} of ${sentAtMs.size}`,
        percentile(ackMs, 0.5).toFixed(1),
        percentile(ackMs, 0.99).toFixed(1),
        percentile(answerMs, 0.5).toFixed(1),
        percentile(answerMs, 0.99).toFixed(1),
        (cpuMs / Math.max(1, answerMs.length)).toFixed(1),
        readyMs.toFixed(0),
        readResidentMb(pid).toFixed(0),
      ]);
    }
    return { rows, residentMb: readResidentMb(pid) };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    server.close();
  }

  /** Returns when each message should have been sent, by the ID of its channel. */
  async function send(prefix: string, count: number, ratePerSecond: number): Promise<Map<string, number>> {
    const startMs = performance.now();
    const sentAtMs = new Map<string, number>();
    for (let index = 0; index < count; index += 1) {
      const dueMs = startMs + (index * 1000) / ratePerSecond;
      await delay(Math.max(0, dueMs - performance.now()));
      const id = `D0${prefix}${index}`;
      // A timer can fire up to 1 ms early.
      sentAtMs.set(id, Math.min(dueMs, performance.now()));
      server.deliver(id);
    }
    const untilMs = performance.now() + patienceMs;
    while (performance.now() < untilMs && ![...sentAtMs.keys()].every((id) => answeredAtMs.has(id)))
      await delay(20);
    return sentAtMs;
  }
}

/** Returns the durations in ms, of those that have ended. */
function subtract(endsMs: ReadonlyMap<string, number>, startsMs: ReadonlyMap<string, number>): number[] {
  return [...startsMs].flatMap(([id, startMs]) => {
    const endMs = endsMs.get(id);
    return endMs === undefined ? [] : [endMs - startMs];
  });
}

if (import.meta.main) await benchPeers();
