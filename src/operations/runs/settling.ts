import type { RunStatus } from '../../storage/schema.ts';
import type { Persistently } from './persistently.ts';
import type { Announce, Run, RunEnd } from './run.ts';
import type { Lease } from './run-leases.ts';
import type { RunStore } from './run-store.ts';

/** What a process works on. */
export const underWay: readonly RunStatus[] = ['queued', 'sent'];

/** What an answer of the service can end, also one that comes after the run was given up as unknown. */
export const answerable: readonly RunStatus[] = [...underWay, 'unknown'];

/**
 * Ends a run that is in one of the states `from`, and waits for a second person only if it did when it was read. Answers whether it was
 * this that ended it.
 */
export type Settle = (run: Run, from: readonly RunStatus[], end: RunEnd) => Promise<boolean>;

export interface Settling {
  /** Ends a run whose asker is answered by whoever ends it. Where this process ends before it has marked that as told, the next one tells. */
  readonly settle: Settle;
  /** Ends a run, and lets its message tell of it; so does the next process where this one ends before that. */
  readonly conclude: Settle;
}

interface SettlingParts {
  readonly runs: RunStore;
  readonly announce: Announce;
  readonly lease: () => Lease;
  readonly persistently: Persistently;
  readonly now: () => number;
}

/** Creates the one way in which runs end. */
export function createSettling({ runs, announce, lease, persistently, now }: SettlingParts): Settling {
  function settle({ id, approval }: Run, from: readonly RunStatus[], end: RunEnd, nowMs: number) {
    const untilTold = lease();
    const isAsked = approval !== null;
    const settlement = { id, from, owner: untilTold.owner, isAsked, untilTold, nowMs, ...end };
    const what = 'the end of a run could not be recorded';
    return persistently(() => runs.settle(settlement), { runId: id, what });
  }

  return {
    settle: (run, from, end) => settle(run, from, end, now()),
    async conclude(run, from, end) {
      const settledMs = now();
      const isEnded = await settle(run, from, end, settledMs);
      if (isEnded) announce({ ...run, ...end, settledMs });
      return isEnded;
    },
  };
}
