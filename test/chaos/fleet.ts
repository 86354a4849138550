import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../child-environment.ts';
import { buildProgram } from '../end-to-end/build-program.ts';
import { findFreePort } from '../services/find-free-port.ts';

// Sets the clock of the process ahead by CRASH_AHEAD_MS.
const probePath = fileURLToPath(new URL('../end-to-end/crash-probe.ts', import.meta.url));

/** Longest time from the start of a process until it is ready, and from SIGTERM until it has ended. */
const maxStartMs = 90_000;

/** A process of Rackhand that can be killed and frozen. */
interface Replica {
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

function startReplica(
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

/** The replicas of Rackhand. Each can be replaced. */
export interface Fleet {
  readonly size: number;
  replicas(): readonly Replica[];
  kill(index: number): Promise<void>;
  start(index: number, aheadMs?: number): Promise<void>;
  /** Starts a new process, and stops the old one when the new one is ready. */
  replace(index: number): Promise<void>;
  /** Replaces processes that have ended, or whose clock is wrong. */
  heal(): Promise<void>;
  freeze(index: number, ms: number): Promise<void>;
  /** Times (epoch ms) in which a process was killed or didn't run. */
  gaps(): readonly { readonly fromMs: number; readonly untilMs: number }[];
  /** How long the stops took, in ms. */
  stopTimes(): readonly number[];
  stop(): Promise<void>;
}

export async function startFleet(env: Readonly<Record<string, string>>, size: number): Promise<Fleet> {
  const program = await buildProgram();
  const replicas: Replica[] = [];
  const gaps: { fromMs: number; untilMs: number }[] = [];
  const stopTimes: number[] = [];
  const launch = async (aheadMs = 0) => {
    const replica = startReplica(env, { program, port: await findFreePort(), aheadMs });
    await replica.started;
    return replica;
  };
  replicas.push(...(await Promise.all(Array.from({ length: size }, () => launch()))));
  const at = (index: number) => replicas[index] as Replica;
  const noteGap = async (work: () => Promise<unknown>) => {
    const gap = { fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY };
    gaps.push(gap);
    await work();
    gap.untilMs = Date.now();
  };
  const fleet: Fleet = {
    size,
    replicas: () => replicas,
    kill: (index) => noteGap(() => at(index).kill()),
    async start(index, aheadMs) {
      replicas[index] = await launch(aheadMs);
    },
    async replace(index) {
      const old = at(index);
      replicas[index] = await launch();
      if (old.isAlive()) stopTimes.push(await old.stop());
    },
    async heal() {
      for (const [index, replica] of replicas.entries()) {
        if (!replica.isAlive()) await fleet.start(index);
        else if (replica.aheadMs !== 0) await fleet.replace(index);
      }
    },
    freeze: (index, ms) =>
      noteGap(async () => {
        at(index).freeze();
        await delay(ms);
        at(index).thaw();
      }),
    gaps: () => gaps,
    stopTimes: () => stopTimes,
    async stop() {
      await Promise.all(replicas.filter((replica) => replica.isAlive()).map((replica) => replica.stop()));
    },
  };
  return fleet;
}
