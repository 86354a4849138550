import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { PeriodicJob } from '../jobs/job-kind.ts';
import { dayMs } from '../time/units.ts';
import type { AuditStore } from './audit-store.ts';
import type { AuditChain } from './chain/audit-chain.ts';

/** Default for AUDIT_RETENTION_DAYS. */
export const defaultRetentionDays = 365;

interface RetentionDependencies {
  readonly store: Pick<AuditStore, 'deleteBefore'>;
  readonly chain: Pick<AuditChain, 'recordErasure'>;
  /** How many days entries are kept. With 0, they are kept forever. */
  readonly days: number;
  readonly log: Pick<Logger, 'info'>;
}

/** Number of entries deleted at once. Pauses between the batches give other queries a chance to run. */
const batchSize = 5;
const batchPauseMs = 10;

/** Creates the daily job that deletes expired entries. */
export function createRetention({ store, chain, days, log }: RetentionDependencies): PeriodicJob {
  return {
    name: 'audit-retention',
    intervalMs: dayMs,
    async run({ clock, signal }) {
      if (days === 0) return;
      const beforeMs = clock.now() - days * dayMs;
      let deleted = 0;
      for (;;) {
        const count = await store.deleteBefore(beforeMs, batchSize, (db, runIds) =>
          chain.recordErasure(db, runIds, 'retention', clock.now()),
        );
        deleted += count;
        if (count < batchSize || signal.aborted) break;
        await delay(batchPauseMs);
      }
      if (deleted > 0) log.info({ runs: deleted }, 'expired activity log entries were deleted');
    },
  };
}
