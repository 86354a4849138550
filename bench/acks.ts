import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';
import { createHostingSandbox } from '../src/sandbox/hosting/sandbox.ts';
import { freePort } from '../test/services/free-port.ts';
import { median, percentile, printTable } from './figures.ts';

const connections = 20;
const loadMs = 4_000;
const rounds = 3;

interface Round {
  readonly acksPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly readyMs: number;
  readonly residentMb: number;
  /** Answers that came to the response URLs by the end of the load. */
  readonly answered: number;
  /** Commands that were acked with the word to come back later. */
  readonly turnedAway: number;
}

/** Measures acks of `/vps list` by signed HTTP, beside a Bolt app that only acks, in the same run. */
export async function benchAcks(): Promise<void> {
  const hosting = await createHostingSandbox({ port: 0, quota: 50 });
  let answered = 0;
  const sink = createServer((request, response) => {
    request.resume();
    answered += 1;
    response.end('{"ok":true}');
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const address = sink.address();
  const sinkUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));

  async function measure(script: string, database: string, flags: readonly string[] = []): Promise<Round> {
    answered = 0;
    const port = await freePort();
    const startedMs = performance.now();
    const program = new URL(script, import.meta.url).pathname;
    const child = spawn(
      process.execPath,
      [...flags, program, `${port}`, hosting.url, sinkUrl, `sqlite:${join(directory, database)}`],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    for await (const line of createInterface(child.stdout)) if (line === 'ready') break;
    const readyMs = performance.now() - startedMs;
    const { times, turnedAway } = await load(port, `${sinkUrl}/respond`);
    const residentMb = residentMegabytes(child.pid ?? 0);
    const answeredUnderLoad = answered;
    child.kill('SIGKILL');
    await once(child, 'exit');
    return {
      acksPerSecond: (times.length / loadMs) * 1000,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      readyMs,
      residentMb,
      answered: answeredUnderLoad,
      turnedAway,
    };
  }

  const bare: Round[] = [];
  const ours: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measure('bare-app.ts', 'unused.db'));
    ours.push(await measure('our-app.ts', `round-${round}.db`, startFlags()));
  }
  await hosting.close();
  sink.close();
  rmSync(directory, { recursive: true });
  report(bare, ours);
}

/** Sends signed slash commands on 20 connections, each as soon as the one before it was acked; gives the ms of each. */
async function load(port: number, responseUrl: string): Promise<{ times: number[]; turnedAway: number }> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const times: number[] = [];
  let count = 0;
  let turnedAway = 0;
  const untilMs = performance.now() + loadMs;
  const send = async () => {
    while (performance.now() < untilMs) {
      count += 1;
      const { body, headers } = slashCommand(`${process.pid}.${port}.${count}`, responseUrl);
      const sentMs = performance.now();
      const answer = await pool.request({ method: 'POST', path: '/slack/events', headers, body });
      if ((await answer.body.text()) !== '') turnedAway += 1;
      if (answer.statusCode !== 200) throw new Error(`the app answered ${answer.statusCode}`);
      times.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
  await pool.close();
  return { times, turnedAway };
}

function slashCommand(trigger: string, responseUrl: string) {
  const body = new URLSearchParams({
    team_id: 'T0ACME',
    channel_id: 'C0OPS',
    user_id: 'U0ALICE',
    command: '/vps',
    text: 'list',
    response_url: responseUrl,
    trigger_id: trigger,
  }).toString();
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', 'sandbox-signing-secret')
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': `${timestamp}`,
    'x-slack-signature': `v0=${signature}`,
  };
  return { body, headers };
}

/** What `npm start` gives to Node before the program. */
function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [, ...words] = String(scripts.start).split(' ');
  return words.slice(0, -1);
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

function report(bare: readonly Round[], ours: readonly Round[]): void {
  const of = (rows: readonly Round[], figure: keyof Round) => median(rows.map((row) => row[figure]));
  const row = (name: string, figure: keyof Round, compare: (ours: number, bare: number) => string) => {
    const [a, b] = [of(ours, figure), of(bare, figure)];
    return [name, a.toFixed(1), b.toFixed(1), compare(a, b)];
  };
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} ×`;
  console.log(
    `\nAcks of /vps list by signed HTTP, ${connections} connections, medians of ${rounds} rounds of ${loadMs / 1000} s`,
  );
  printTable(
    ['', 'Rackhand', 'bare Bolt', 'compared', 'aim'],
    [
      [...row('acks per second', 'acksPerSecond', ratio), '0.80 × or better'],
      [...row('ack p50, ms', 'p50Ms', ratio), ''],
      [...row('ack p99, ms', 'p99Ms', ratio), ''],
      [...row('start to ready, ms', 'readyMs', ratio), '2.50 × or better'],
      [...row('resident after load, MB', 'residentMb', (a, b) => `+${(a - b).toFixed(1)}`), '+48 or less'],
      [...row('answers given under load', 'answered', () => ''), ''],
      [...row('asked to come back later', 'turnedAway', () => ''), ''],
    ],
  );
}

if (import.meta.main) await benchAcks();
