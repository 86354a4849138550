import { type RawBuilder, sql } from 'kysely';
import type { SendRecord } from '../hosting/rate-limit/rate-limiter.ts';
import type { Database } from './engines/database.ts';

/** Rows of processes that stopped earlier than this are deleted. */
const keptMs = 3_600_000;

/** A journaled call without a recorded answer counts as answered this much later. */
const maxAnswerMs = 60_000;

/** Records which processes can send calls. `sqlNow` is the time of the database. */
export function createSendRecord(db: Database, sqlNow: () => RawBuilder<number>): SendRecord {
  return {
    async extend(processId, durationMs) {
      const active_until = sql<number>`${sqlNow()} + ${durationMs}`;
      await db
        .insertInto('quota_sender')
        .values({ process_id: processId, active_until })
        .onConflict((conflict) => conflict.column('process_id').doUpdateSet({ active_until }))
        .execute();
      await db
        .deleteFrom('quota_sender')
        .where('active_until', '<', sql<number>`${sqlNow()} - ${keptMs}`)
        .execute();
    },
    async finish(processId) {
      await db
        .updateTable('quota_sender')
        .set({ active_until: sqlNow() })
        .where('process_id', '=', processId)
        .execute();
    },
    async quietForMs(processId) {
      const sender = await db
        .selectFrom('quota_sender')
        .select(sql<number | null>`${sqlNow()} - max(active_until)`.as('quietMs'))
        .where('process_id', '!=', processId)
        .executeTakeFirst();
      // Calls that were sent while the setting REDIS_URL was empty.
      const journal = await db
        .selectFrom('quota_call')
        .select(
          sql<number | null>`${sqlNow()} - max(coalesce(responded_at, sent_at + ${maxAnswerMs}))`.as(
            'quietMs',
          ),
        )
        .executeTakeFirst();
      return Math.min(toQuietMs(sender?.quietMs), toQuietMs(journal?.quietMs));
    },
  };
}

function toQuietMs(quietMs: number | null | undefined): number {
  return quietMs === null || quietMs === undefined ? Number.POSITIVE_INFINITY : Number(quietMs);
}
