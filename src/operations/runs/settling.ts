import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RunStatus } from '../../storage/schema.ts';
import type { Announce, Run, RunEnd } from './run.ts';
import type { Lease, RunStore } from './run-store.ts';

/** What a process works on. */
export const underWay: readonly RunStatus[] = ['queued', 'sent'];

/** What an answer of the service can end, also one that comes after the run was given up as unknown. */
export const answerable: readonly RunStatus[] = [...underWay, 'unknown'];

/** Pauses before a database that fails is tried again: what was done must not go unrecorded for a hiccup. */
const retryAfterMs = [100, 1_000, 5_000] as const;

/** Ends a run that is in one of the states `from`. Answers whether it was this that ended it. */
export type Settle = (run: Run, from: readonly RunStatus[], end: RunEnd) => Promise<boolean>;

export interface Settling {
  /** Ends a run whose asker is answered by whoever ends it. */
  readonly settle: Settle;
  /** Ends a run, and lets its message tell of it; where this process ends before that, the next one does. */
  readonly conclude: Settle;
}

interface SettlingParts {
  readonly runs: RunStore;
  readonly announce: Announce;
  readonly lease: () => Lease;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/** Creates the one way in which runs end. */
export function createSettling({ runs, announce, lease, now, log }: SettlingParts): Settling {
  async function settle(settlement: Parameters<RunStore['settle']>[0]): Promise<boolean> {
    for (const pauseMs of retryAfterMs) {
      try {
        return await runs.settle(settlement);
      } catch (error) {
        const { id: runId } = settlement;
        log.error({ err: error, runId }, 'the end of a run could not be recorded; it is tried again');
        await delay(pauseMs);
      }
    }
    return runs.settle(settlement);
  }

  return {
    settle({ id }, from, end) {
      return settle({ id, from, owner: lease().owner, nowMs: now(), ...end });
    },
    async conclude(run, from, end) {
      const settledMs = now();
      const untilTold = lease();
      const settlement = { id: run.id, from, owner: untilTold.owner, untilTold, nowMs: settledMs, ...end };
      const isEnded = await settle(settlement);
      if (isEnded) announce({ ...run, ...end, settledMs });
      return isEnded;
    },
  };
}
