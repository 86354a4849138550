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
import { findFreePort } from '../test/services/find-free-port.ts';
import { median, percentile, printTable } from './statistics.ts';

const connectionCount = 20;
const loadMs = 4_000;
const rounds = 3;

interface Round {
  readonly acksPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly readyMs: number;
  readonly residentMb: number;
  /** How many messages the response URLs had received by the end of the load. */
  readonly responseCount: number;
  /** Commands whose ack asked the person to try again later. */
  readonly rejectedCount: number;
}

/** Measures acks of `/vps list` over signed HTTP, compared with a Bolt app that only acks. */
export async function benchAcks(): Promise<void> {
  const hosting = await createHostingSandbox({ port: 0, quota: 50 });
  let responseCount = 0;
  const sink = createServer((request, response) => {
    request.resume();
    responseCount += 1;
    response.end('{"ok":true}');
  }).listen(0, '127.0.0.1');
  await once(sink, 'listening');
  const address = sink.address();
  const sinkUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));

  async function measure(script: string, database: string, flags: readonly string[] = []): Promise<Round> {
    responseCount = 0;
    const port = await findFreePort();
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
    const { times, rejectedCount } = await sendCommands(port, `${sinkUrl}/respond`);
    const residentMb = readResidentMb(child.pid ?? 0);
    const responseCountUnderLoad = responseCount;
    child.kill('SIGKILL');
    await once(child, 'exit');
    return {
      acksPerSecond: (times.length / loadMs) * 1000,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      readyMs,
      residentMb,
      responseCount: responseCountUnderLoad,
      rejectedCount,
    };
  }

  const bolt: Round[] = [];
  const rackhand: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bolt.push(await measure('bolt-app.ts', 'unused.db'));
    rackhand.push(await measure('rackhand-app.ts', `round-${round}.db`, readStartFlags()));
  }
  await hosting.close();
  sink.close();
  rmSync(directory, { recursive: true });
  printResults(bolt, rackhand);
}

/** Sends signed slash commands on 20 connections without pauses. Returns how many ms each ack took. */
async function sendCommands(
  port: number,
  responseUrl: string,
): Promise<{ times: number[]; rejectedCount: number }> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: connectionCount });
  const times: number[] = [];
  let count = 0;
  let rejectedCount = 0;
  const untilMs = performance.now() + loadMs;
  const send = async () => {
    while (performance.now() < untilMs) {
      count += 1;
      const { body, headers } = signSlashCommand(`${process.pid}.${port}.${count}`, responseUrl);
      const sentMs = performance.now();
      const response = await pool.request({ method: 'POST', path: '/slack/events', headers, body });
      if ((await response.body.text()) !== '') rejectedCount += 1;
      if (response.statusCode !== 200) throw new Error(`the app answered ${response.statusCode}`);
      times.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: connectionCount }, send));
  await pool.close();
  return { times, rejectedCount };
}

function signSlashCommand(trigger: string, responseUrl: string) {
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

/** Returns the flags that `npm start` passes to Node. */
function readStartFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [, ...args] = String(scripts.start).split(' ');
  return args.slice(0, -1);
}

function readResidentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

function printResults(bare: readonly Round[], ours: readonly Round[]): void {
  const medianOf = (rows: readonly Round[], field: keyof Round) => median(rows.map((row) => row[field]));
  const row = (name: string, field: keyof Round, compare: (ours: number, bare: number) => string) => {
    const [a, b] = [medianOf(ours, field), medianOf(bare, field)];
    return [name, a.toFixed(1), b.toFixed(1), compare(a, b)];
  };
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} ×`;
  console.log(
    `\nAcks of /vps list by signed HTTP, ${connectionCount} connections, medians of ${rounds} rounds of ${loadMs / 1000} s`,
  );
  printTable(
    ['', 'Rackhand', 'bare Bolt', 'compared', 'aim'],
    [
      [...row('acks per second', 'acksPerSecond', ratio), '0.80 × or better'],
      [...row('ack p50, ms', 'p50Ms', ratio), ''],
      [...row('ack p99, ms', 'p99Ms', ratio), ''],
      [...row('start to ready, ms', 'readyMs', ratio), '2.50 × or better'],
      [...row('resident after load, MB', 'residentMb', (a, b) => `+${(a - b).toFixed(1)}`), '+48 or less'],
      [...row('responses under load', 'responseCount', () => ''), ''],
      [...row('asked to try again later', 'rejectedCount', () => ''), ''],
    ],
  );
}

if (import.meta.main) await benchAcks();
