import type { Logger } from 'pino';
import type { HostingClient } from '../hosting/client.ts';
import type { Operation, Read } from '../operations/operation.ts';
import { leaseMs } from '../operations/runs/caretaker.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Mute } from '../reports/mutes/mute-store.ts';
import { createPauses } from '../reports/pauses.ts';
import type { Clock } from '../reports/schedule/clock.ts';
import type { Database } from '../storage/database.ts';
import { createAddWatch } from './add-watch.ts';
import { createEditWatch } from './edit-watch.ts';
import { createFindWatch, createKeepWatches } from './keep-watches.ts';
import { createMakeRound } from './make-round.ts';
import { roundEveryMs } from './pace.ts';
import { createWatchPlanning } from './planning.ts';
import { createRoundStore } from './round-store.ts';
import { createRounds } from './rounds.ts';
import { createShowWatches } from './show-watches.ts';
import { createTelling } from './telling.ts';
import type { WatchVoice } from './voice.ts';
import { createWatchSource } from './watch-source.ts';
import { createWatchStore } from './watch-store.ts';

interface WatchesParts {
  readonly db: Database;
  /** Gives the client of a workspace's key, whose calls throw `key_missing` where there is none. */
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly runs: Pick<RunStore, 'record'>;
  readonly voice: WatchVoice;
  /** Calls a minute, in the mean, of the reports of a workspace: one budget is for both. */
  readonly reportsPerMinute: (teamId: string) => Promise<number>;
  readonly mutes: (teamId: string, nowMs: number) => Promise<readonly Mute[]>;
  readonly clock: Clock;
  /** Whether other processes look at the same watches. */
  readonly shared: boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** The watches of all workspaces. */
export interface Watches {
  readonly operations: readonly Operation[];
  /** Tells how many calls the watches of a workspace make in a minute. */
  callsPerMinute(teamId: string): Promise<number>;
  /** Lets watches look from now on. */
  start(): Promise<void>;
  /** Resolves when none is worked on any more; what is not over is taken up by the next process. */
  stop(): Promise<void>;
  /** The app is not in a workspace any more: its watches are forgotten. */
  departed(teamId: string): Promise<void>;
}

/** Creates what sets watches, looks, and tells. */
export function createWatches(parts: WatchesParts): Watches {
  const { db, hostingFor, runs, voice, reportsPerMinute, mutes, clock, shared, log } = parts;
  const { now } = clock;
  const store = createWatchStore(db);
  const roundStore = createRoundStore(db);
  const pauses = createPauses({ noun: 'watch', store, runs, voice, clock, log });
  const tell = createTelling({ store, voice, clock, log });
  const readFor =
    (teamId: string): Read =>
    (endpoint, input, options) =>
      hostingFor(teamId).call(endpoint, input, { lane: 'background', ...options });
  const usageOf = (teamId: string) => hostingFor(teamId).usage();
  const make = createMakeRound({ store, pauses, tell, readFor, usageOf, reportsPerMinute, mutes, now, log });
  const rounds = createRounds({ store: roundStore, clock, leaseMs, shared, make, log });

  async function begin(teamId: string): Promise<void> {
    await roundStore.plan(teamId, now());
    rounds.wake();
  }

  const makePlan = createWatchPlanning({ store, reportsPerMinute });
  const kept = { store, find: createFindWatch(store), watches: createWatchSource(store), now };
  const { leave } = tell;

  return {
    operations: [
      createAddWatch({ store, makePlan, voice, begin, now }),
      ...createShowWatches({
        ...kept,
        everyMsOf: async (teamId) => (await roundStore.paceOf(teamId))?.everyMs ?? undefined,
      }),
      createEditWatch({ ...kept, makePlan, voice, leave }),
      ...createKeepWatches({ ...kept, leave, begin }),
    ],
    async callsPerMinute(teamId) {
      const { calls = 0 } = (await roundStore.paceOf(teamId)) ?? {};
      return (calls * 60_000) / roundEveryMs;
    },
    async start() {
      await rounds.start();
      // Not waited for: Slack may be slow.
      void pauses.start();
    },
    async stop() {
      pauses.stop();
      await rounds.stop();
    },
    departed: store.forgetAllOf,
  };
}
