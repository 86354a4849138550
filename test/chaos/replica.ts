import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../child-environment.ts';

// Sets the clock of the process ahead by CRASH_AHEAD_MS.
const probePath = fileURLToPath(new URL('../end-to-end/crash-probe.ts', import.meta.url));

/** Longest time from the start of a process until it is ready, and from SIGTERM until it has ended. */
const maxStartMs = 90_000;

/** A process of Rackhand that can be killed and frozen. */
export interface Replica {
  readonly url: string;
  readonly aheadMs: number;
  readonly isAlive: () => boolean;
  /** Resolves when the process is ready or has ended. */
  readonly started: Promise<void>;
  /** Stops it as a deploy does. Resolves to the time that took in ms. */
  stop(): Promise<number>;
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** The last lines of its log. */
  log(): readonly string[];
}

export function startReplica(
  env: Readonly<Record<string, string>>,
  { program, port, aheadMs }: { readonly program: string; readonly port: number; readonly aheadMs: number },
): Replica {
  const child: ChildProcess = fork(program, {
    env: {
      ...childEnvironment,
      ...env,
      HOST: '127.0.0.1',
      PORT: String(port),
      CRASH_AHEAD_MS: String(aheadMs),
    },
    execArgv: ['--import', probePath],
    silent: true,
  });
  const gone = once(child, 'exit');
  const lines: string[] = [];
  const started = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        lines.push(...String(chunk).trim().split('\n'));
        if (lines.length > 200) lines.splice(0, lines.length - 200);
        if (String(chunk).includes('Rackhand is ready')) resolve();
      });
    }
    void gone.then(() => resolve());
    setTimeout(resolve, maxStartMs).unref();
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    url: `http://127.0.0.1:${port}`,
    aheadMs,
    isAlive,
    started,
    async stop() {
      const startedMs = performance.now();
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await gone;
      return performance.now() - startedMs;
    },
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    log: () => lines,
  };
}
