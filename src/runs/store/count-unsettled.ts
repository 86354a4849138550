import { sql } from 'kysely';
import type { Database } from '../../db/engines/database.ts';
import type { RunStatus } from '../../db/schema/schema.ts';

const unsettledStatuses: readonly RunStatus[] = ['waiting', 'queued', 'sent'];

/** Counts unfinished runs by status, and returns the age of the oldest run with each status. */
export async function countUnsettledRuns(db: Database, nowMs: number) {
  const rows = await db
    .selectFrom('run')
    .select([
      'status',
      sql<number | string>`count(*)`.as('count'),
      sql<number>`min(requested_at)`.as('oldest'),
    ])
    .where('status', 'in', unsettledStatuses)
    .groupBy('status')
    .execute();
  return rows.map(({ status, count, oldest }) => ({
    status,
    count: Number(count),
    oldestAgeMs: Math.max(0, nowMs - Number(oldest)),
  }));
}
