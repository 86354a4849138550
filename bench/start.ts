import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../test/services/find-free-port.ts';
import { recordReached } from './aims.ts';
import { readCpuMs, readResidentMb } from './bench-environment.ts';
import { median, printTable } from './statistics.ts';

const rounds = 5;
/** When the memory is read, after the app is ready. */
const idleMs = 500;

interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly residentMb: number;
}

/** Measures starts with an existing database: a release, the source, and a Bolt app that only acks. */
export async function benchStart(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const root = new URL('..', import.meta.url).pathname;
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { stdio: 'ignore' });
  const installMb = measureInstall(join(root, 'dist'));
  const port = await findFreePort();
  const env = {
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'secret',
    SLACK_STATE_SECRET: 'sixteen-characters',
    SLACK_SIGNING_SECRET: 'sixteen-characters',
    PUBLIC_URL: 'https://rackhand.example.com',
    HOSTING_API_URL: 'http://127.0.0.1:1',
    ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
    DATABASE_URL: `sqlite:${join(directory, 'rackhand.db')}`,
    HOST: '127.0.0.1',
    PORT: String(port),
  };

  async function start(...args: string[]): Promise<Start> {
    const startedMs = performance.now();
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const data of child.stdout) if (String(data).includes('ready')) break;
    const readyMs = performance.now() - startedMs;
    const cpuMs = readCpuMs(child.pid ?? 0);
    await delay(idleMs);
    const residentMb = readResidentMb(child.pid ?? 0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    return { readyMs, cpuMs, residentMb };
  }

  const programs = {
    'bare Bolt': ['bench/bolt-app.mjs', String(port)],
    'a release': ['dist/main.js'],
    'src/': ['src/main.ts'],
  };
  const starts = new Map<string, Start[]>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of Object.entries(programs)) {
      const measured = await start(...args);
      // The first start fills the compile cache and creates the database.
      if (round > 0) starts.set(name, [...(starts.get(name) ?? []), measured]);
    }
  }
  rmSync(directory, { recursive: true });
  console.log(`\nStarts, medians of ${rounds}, one program after the other`);
  const medianOf = (all: readonly Start[], field: keyof Start) => median(all.map((one) => one[field]));
  const column = (all: readonly Start[], field: keyof Start) => medianOf(all, field).toFixed(0);
  printTable(
    ['', 'ready, ms', 'CPU until ready, ms', 'memory, MB'],
    [...starts].map(([name, all]) => [
      name,
      column(all, 'readyMs'),
      column(all, 'cpuMs'),
      column(all, 'residentMb'),
    ]),
  );
  const [bolt = [], release = []] = ['bare Bolt', 'a release'].map((name) => starts.get(name));
  recordReached('readyRatio', medianOf(release, 'readyMs') / medianOf(bolt, 'readyMs'));
  recordReached('idleMemoryMb', medianOf(release, 'residentMb') - medianOf(bolt, 'residentMb'));
  recordReached('installMb', installMb);
}

/** Installs a release, and returns its size with its packages. */
function measureInstall(release: string): number {
  execFileSync('npm', ['ci', '--prefix', release, '--ignore-scripts', '--silent'], { stdio: 'ignore' });
  const files = readdirSync(release, { recursive: true, encoding: 'utf8' });
  const blockCount = files.reduce((sum, file) => sum + lstatSync(join(release, file)).blocks, 0);
  rmSync(join(release, 'node_modules'), { recursive: true });
  return (blockCount * 512) / 2 ** 20;
}

if (import.meta.main) await benchStart();
