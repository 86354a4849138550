import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../reports/schedule/clock.ts';
import { keepLease } from '../reports/schedule/keep-lease.ts';
import { createLookout } from '../reports/schedule/lookout.ts';
import { roundEveryMs } from './pace.ts';
import type { Round, Rounded, RoundStore } from './round-store.ts';

interface RoundsParts {
  readonly store: RoundStore;
  readonly clock: Clock;
  /** How long a process is taken to be alive after its last sign of life. */
  readonly leaseMs: number;
  /** Whether other processes look at the same watches. */
  readonly shared: boolean;
  /** Makes a round; heeds the signal, which aborts when this process stops or has lost the round. */
  readonly make: (round: Round, signal: AbortSignal) => Promise<Rounded>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Has each workspace's watches looked at a minute after the other, by one process each time. */
export interface Rounds {
  start(): Promise<void>;
  /** Looks at once: a watch was set, or resumed. */
  wake(): void;
  /** Begins nothing more; hands on what is not over. */
  stop(): Promise<void>;
}

/** How long it takes at most until a workspace is seen whose first watch another process has set. */
const longestSleepMs = 60_000;

/** Creates what makes the rounds of this process. */
export function createRounds({ store, clock, leaseMs, shared, make, log }: RoundsParts): Rounds {
  const underWay = new Map<string, Promise<void>>();

  const { wake, stopping, ...lookout } = createLookout({
    clock,
    longestSleepMs,
    async look(nowMs) {
      let wakeMs = Number.POSITIVE_INFINITY;
      for (const round of await store.upcoming(nowMs)) {
        if (stopping.aborted) break;
        if (underWay.has(round.teamId)) continue;
        if (round.dueMs <= nowMs) await begin(round, nowMs);
        else wakeMs = Math.min(wakeMs, round.dueMs);
      }
      return wakeMs;
    },
    onFailure: (error) => log.error({ err: error }, 'the watches could not be looked at'),
  });

  async function begin(round: Round, nowMs: number): Promise<void> {
    const token = randomUUID();
    const claimed = await store.claim(round, { token, untilMs: nowMs + leaseMs }, nowMs);
    if (!claimed) return;
    const { teamId } = round;
    const work = makeAndEnd(claimed, token, nowMs)
      .catch((error) => log.error({ err: error, teamId }, 'a round of watches did not come to its end'))
      .finally(() => {
        underWay.delete(teamId);
        wake();
      });
    underWay.set(teamId, work);
  }

  async function makeAndEnd(round: Round, token: string, beganMs: number): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping, lost.signal]);
    const stopRenewing = keepLease({
      clock,
      leaseMs,
      extend: (untilMs) => store.extend({ token, untilMs }),
      onLost: () => lost.abort(new Error('another process has taken up the round')),
      onTrouble: (error) => log.warn({ err: error }, 'the hold on a round of watches could not be kept'),
    });
    try {
      const made = await make(round, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error, teamId: round.teamId }, 'a round of watches failed');
        return undefined;
      });
      if (stopping.aborted) await store.handOn(token);
      else {
        const unmade: Rounded = { lastVps: round.lastVps, everyMs: null, calls: 0 };
        await store.end(token, made ?? unmade, beganMs + roundEveryMs);
      }
    } finally {
      stopRenewing();
    }
  }

  return {
    async start() {
      if (!shared) await store.freeAll();
      await lookout.start();
    },
    wake,
    async stop() {
      await lookout.stop();
      await Promise.all(underWay.values());
    },
  };
}
