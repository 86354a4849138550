import { Pool } from 'undici';
import { recordReached } from './aims.ts';
import {
  type BenchEnvironment,
  readStartFlags,
  signSlashCommand,
  startBenchEnvironment,
} from './bench-environment.ts';
import { bundleApp } from './bundle-apps.ts';
import { median, percentile, printTable } from './statistics.ts';

const connectionCount = 20;
/** The same load before the measured one, so that the code is compiled. */
const warmUpMs = 2_000;
const loadMs = 4_000;
const rounds = 5;

const boltApp = new URL('bolt-app.mjs', import.meta.url).pathname;

interface Round {
  readonly acksPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly residentMb: number;
  /** How many messages the response URLs had received by the end of the load. */
  readonly responseCount: number;
  /** Commands whose ack asked the person to try again later. */
  readonly rejectedCount: number;
}

/**
 * Measures acks of `/vps list` over signed HTTP, compared with a Bolt app that only acks, and with one
 * that also answers.
 */
export async function benchAcks(): Promise<void> {
  let responseCount = 0;
  const environment = await startBenchEnvironment(() => {
    responseCount += 1;
  });

  async function measure(
    script: string,
    flags: readonly string[] = [],
    more: readonly string[] = [],
  ): Promise<Round> {
    const app = await environment.start(script, flags, more);
    await sendCommands(app.port, environment, 'warm', warmUpMs);
    responseCount = 0;
    const { times, rejectedCount } = await sendCommands(app.port, environment, 'load', loadMs);
    const residentMb = app.residentMb();
    const responseCountUnderLoad = responseCount;
    await app.kill();
    return {
      acksPerSecond: (times.length / loadMs) * 1000,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      residentMb,
      responseCount: responseCountUnderLoad,
      rejectedCount,
    };
  }

  const bolt: Round[] = [];
  const answeringBolt: Round[] = [];
  const rackhand: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bolt.push(await measure(boltApp));
    answeringBolt.push(await measure(boltApp, [], ['answer']));
    rackhand.push(await measure(await bundleApp('rackhand-app'), readStartFlags()));
  }
  await environment.close();
  printResults(rackhand, bolt, answeringBolt);
}

/** Sends signed slash commands on 20 connections without pauses. Returns how many ms each ack took. */
async function sendCommands(
  port: number,
  { responseUrl }: BenchEnvironment,
  prefix: string,
  forMs: number,
): Promise<{ times: number[]; rejectedCount: number }> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: connectionCount });
  const times: number[] = [];
  let count = 0;
  let rejectedCount = 0;
  const untilMs = performance.now() + forMs;
  const send = async () => {
    while (performance.now() < untilMs) {
      count += 1;
      const id = `${prefix}.${port}.${count}`;
      const { body, headers } = signSlashCommand('list', { id, responseUrl: responseUrl(id) });
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

function printResults(ours: readonly Round[], bare: readonly Round[], answering: readonly Round[]): void {
  const medianOf = (rows: readonly Round[], field: keyof Round) => median(rows.map((row) => row[field]));
  const row = (name: string, field: keyof Round, compare: (ours: number, bare: number) => string) => {
    const [a, b, c] = [ours, bare, answering].map((rows) => medianOf(rows, field));
    const texts = [b, c].flatMap((other = 0) => [other.toFixed(1), compare(a ?? 0, other)]);
    return [name, (a ?? 0).toFixed(1), ...texts];
  };
  recordReached('ackRatio', (medianOf(ours, 'acksPerSecond') ?? 0) / (medianOf(bare, 'acksPerSecond') ?? 0));
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} ×`;
  console.log(
    `\nAcks of /vps list by signed HTTP, ${connectionCount} connections, medians of ${rounds} rounds of ${loadMs / 1000} s after ${warmUpMs / 1000} s of the same load`,
  );
  printTable(
    ['', 'Rackhand', 'Bolt, only acks', 'compared', 'Bolt, with answers', 'compared', 'aim'],
    [
      [...row('acks per second', 'acksPerSecond', ratio), '0.95 × or better'],
      [...row('ack p50, ms', 'p50Ms', ratio), ''],
      [...row('ack p99, ms', 'p99Ms', ratio), ''],
      [
        ...row('resident after load, MB', 'residentMb', (a, b) => `${a < b ? '' : '+'}${(a - b).toFixed(1)}`),
        '',
      ],
      [...row('responses under load', 'responseCount', () => ''), ''],
      [...row('asked to try again later', 'rejectedCount', () => ''), ''],
    ],
  );
}

if (import.meta.main) await benchAcks();
