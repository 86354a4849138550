import type { Database } from '../db/engines/database.ts';
import type { DatabaseClock } from './database-clock.ts';

/** How many IDs of jobs that can't run are listed. */
const maxListed = 20;

/** Jobs of one kind that can't run. */
export interface SetAsideJobs {
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
  /** At most 20 IDs. */
  readonly ids: readonly string[];
}

/** Counts the jobs that are due, and those that can't run, for the metrics and `/readyz`. */
export function createJobCounts(db: Database, { sqlNow }: DatabaseClock) {
  const jobsOf = (kind: string) => db.selectFrom('job').where('kind', '=', kind);

  async function listIds(jobs: ReturnType<typeof jobsOf>): Promise<readonly string[]> {
    const rows = await jobs.select('id').orderBy('id').limit(maxListed).execute();
    return rows.map(({ id }) => id);
  }

  return {
    /** Counts, by kind, the jobs that are due. */
    async countDue(): Promise<ReadonlyMap<string, number>> {
      const rows = await db
        .selectFrom('job')
        .select((row) => ['kind', row.fn.countAll<number>().as('jobs')])
        .where('claimable_at', '<=', sqlNow())
        .groupBy('kind')
        .execute();
      return new Map(rows.map(({ kind, jobs }) => [kind, Number(jobs)]));
    },

    /** Groups the jobs that were set aside by kind and reason. */
    async listSetAside(): Promise<readonly SetAsideJobs[]> {
      const groups = await db
        .selectFrom('job')
        .select((row) => [
          'kind',
          row.fn.coalesce('set_aside_reason', row.val('')).as('reason'),
          row.fn.countAll<number>().as('jobs'),
        ])
        .where('set_aside_reason', 'is not', null)
        .groupBy(['kind', 'set_aside_reason'])
        .execute();
      return Promise.all(
        groups.map(async ({ kind, reason, jobs }) => ({
          kind,
          reason,
          count: Number(jobs),
          ids: await listIds(jobsOf(kind).where('set_aside_reason', '=', reason)),
        })),
      );
    },

    /** Groups the jobs of kinds that this version doesn't know. A newer version may run them. */
    async listUnknown(knownKinds: readonly string[]): Promise<readonly SetAsideJobs[]> {
      const groups = await db
        .selectFrom('job')
        .select((row) => ['kind', row.fn.countAll<number>().as('jobs')])
        .where('kind', 'not in', [...knownKinds])
        .groupBy('kind')
        .execute();
      return Promise.all(
        groups.map(async ({ kind, jobs }) => ({
          kind,
          reason: 'unknown kind',
          count: Number(jobs),
          ids: await listIds(jobsOf(kind)),
        })),
      );
    },
  };
}
