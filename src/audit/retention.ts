import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createIntervalJob } from '../jobs/interval-job.ts';
import type { AuditStore } from './audit-store.ts';

/** Default of the setting AUDIT_RETENTION_DAYS. */
export const defaultRetentionDays = 365;

interface RetentionDependencies {
  readonly store: Pick<AuditStore, 'claimPeriodicTask' | 'deleteBefore'>;
  /** 0 keeps entries forever. */
  readonly days: number;
  readonly log: Pick<Logger, 'error' | 'info'>;
  readonly now: () => number;
}

export interface Retention {
  start(): void;
  /** Resolves when no deletion is running anymore. */
  stop(): Promise<void>;
  /** Deletes expired entries, unless a replica has done so within the last day. */
  deleteExpired(): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;
const checkIntervalMs = 60 * 60_000;

/** Entries are deleted in small batches with pauses, so that other queries don't have to wait. */
const batchSize = 200;
const batchPauseMs = 50;

export function createRetention({ store, days, log, now }: RetentionDependencies): Retention {
  let isStopped = false;

  async function deleteExpired(): Promise<void> {
    const nowMs = now();
    // The work counts as due half a check interval early. Otherwise each daily run would drift by
    // up to an hour.
    if (
      days === 0 ||
      !(await store.claimPeriodicTask('retention', nowMs - dayMs + checkIntervalMs / 2, nowMs))
    )
      return;
    let deleted = 0;
    for (;;) {
      const count = await store.deleteBefore(nowMs - days * dayMs, batchSize);
      deleted += count;
      if (count < batchSize || isStopped) break;
      await delay(batchPauseMs);
    }
    if (deleted > 0) log.info({ runs: deleted }, 'expired activity log entries were deleted');
  }

  const job = createIntervalJob({
    intervalMs: checkIntervalMs,
    run: deleteExpired,
    onError: (error) => log.error({ err: error }, 'old activity log entries could not be deleted'),
  });

  return {
    deleteExpired,
    start: job.start,
    stop() {
      isStopped = true;
      return job.stop();
    },
  };
}
