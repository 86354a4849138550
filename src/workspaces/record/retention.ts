import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RecordStore } from './record-store.ts';

/** How long the record is kept unless a setting says otherwise. */
export const defaultRetentionDays = 365;

interface RetentionParts {
  readonly store: Pick<RecordStore, 'claimUpkeep' | 'forgetBefore'>;
  /** 0 keeps the record for ever. */
  readonly days: number;
  readonly log: Pick<Logger, 'error' | 'info'>;
  readonly now: () => number;
}

export interface Retention {
  /** Looks now, and from time to time. */
  start(): void;
  /** Resolves when nothing is being forgotten any more. */
  stop(): Promise<void>;
  /** Forgets what is too old, unless this process or another has done so within a day. */
  look(): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;
const lookEveryMs = 60 * 60_000;

/** Runs that are forgotten at once, and the pause after them: nobody shall wait behind it. */
const stepRuns = 200;
const stepPauseMs = 50;

/** Creates what forgets the part of the record that is older than it is to be kept. */
export function createRetention({ store, days, log, now }: RetentionParts): Retention {
  let timer: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let isStopped = false;

  async function look(): Promise<void> {
    const nowMs = now();
    // Half a look less, or each day's would come an hour after that of the day before.
    if (days === 0 || !(await store.claimUpkeep('retention', nowMs - dayMs + lookEveryMs / 2, nowMs))) return;
    let forgotten = 0;
    for (;;) {
      const step = await store.forgetBefore(nowMs - days * dayMs, stepRuns);
      forgotten += step;
      if (step < stepRuns || isStopped) break;
      await delay(stepPauseMs);
    }
    if (forgotten > 0) log.info({ runs: forgotten }, 'runs older than the record is kept were deleted');
  }

  function lookAgain(): void {
    looking = looking.then(look).catch((error) => log.error({ err: error }, 'old runs could not be deleted'));
  }

  return {
    look,
    start() {
      lookAgain();
      timer = setInterval(lookAgain, lookEveryMs);
      timer.unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking;
    },
  };
}
