import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What `npm run build` writes. */
export const bundlePath = 'dist/main.js';

export function buildBundle(): void {
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root, stdio: 'ignore' });
}

/** Returns settings of an app that only waits: OAuth and signed HTTP, and no hosting service. */
export function createSettings(databaseUrl: string, port: number) {
  return {
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'secret',
    SLACK_STATE_SECRET: 'sixteen-characters',
    SLACK_SIGNING_SECRET: 'sandbox-signing-secret',
    HOSTING_API_URL: 'http://127.0.0.1:1',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATABASE_URL: databaseUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'info',
  };
}

export interface RunningProgram {
  readonly readyMs: number;
  /** CPU time so far, in ms. */
  cpuMs(): number;
  /** Resident memory with that of its children. */
  memoryMb(): number;
  kill(): Promise<void>;
}

/** Starts a program with the given settings, and resolves when it writes that it is ready. */
export async function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<RunningProgram> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const isReady = new Promise<void>((resolve) => {
    child.stdout.on('data', (data) => String(data).includes('ready') && resolve());
  });
  await Promise.race([
    isReady,
    exited.then(() => Promise.reject(new Error(`${args.join(' ')} ended before it was ready`))),
  ]);
  const pid = child.pid ?? 0;
  return {
    readyMs: performance.now() - startedMs,
    cpuMs: () => readCpuMs(pid),
    memoryMb: () => [pid, ...listChildren(pid)].reduce((sum, one) => sum + readMemoryMb(one), 0),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Linux counts CPU time in ticks of 10 ms. */
const msPerTick = 10;

function readCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process is in parentheses and can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

function readMemoryMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

function listChildren(pid: number): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Returns the value that is greater than or equal to this fraction of the values. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}
