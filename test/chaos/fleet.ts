import { setTimeout as delay } from 'node:timers/promises';
import { buildProgram } from '../end-to-end/build-program.ts';
import { findFreePort } from '../services/find-free-port.ts';
import { type Replica, startReplica } from './replica.ts';

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
