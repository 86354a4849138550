import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A moment at which the process is killed: before or after a statement that begins like this, with these as its first value, and among its values. */
export interface CrashPoint {
  readonly when: 'before' | 'after';
  readonly sql: string;
  readonly first?: string;
  readonly about?: string;
}

export type CrashingApp = Awaited<ReturnType<typeof startCrashingApp>>;

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const probe = fileURLToPath(new URL('./crash-probe.ts', import.meta.url));

/** Starts what `npm start` starts, as a process of its own that can be killed at any statement, also from its first on. */
export async function startCrashingApp(
  env: Readonly<Record<string, string>>,
  points: readonly CrashPoint[] = [],
) {
  const child = fork(main, {
    env: { PATH: process.env.PATH, CRASH_AT: JSON.stringify(points), ...env },
    execArgv: ['--import', probe],
    silent: true,
  });
  const gone = once(child, 'exit');
  // What dies at a point may come to it before it is ready.
  await ready(child).catch((error: unknown) => {
    if (points.length === 0 || child.signalCode !== 'SIGKILL') throw error;
  });

  return {
    /** Resolves when it has died. */
    gone,
    /** Ends it as `npm start` is ended, and gives how long that took, in ms. */
    async stop(): Promise<number> {
      const startedMs = performance.now();
      child.kill('SIGTERM');
      await gone;
      return performance.now() - startedMs;
    },
    /** Resolves when it has died at the point. */
    async diesAt(point: CrashPoint, act: () => Promise<unknown>): Promise<void> {
      const armed = once(child, 'message');
      child.send(point);
      await armed;
      // What dies at once acknowledges nothing.
      void act().catch(() => undefined);
      await gone;
    },
    /** Kills it now, if it lives. */
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        said += chunk;
        if (said.includes('Rackhand is ready')) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`the process ended before it was ready: ${said}`)));
  });
}
