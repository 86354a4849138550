import { sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import { type AuditEntry, auditColumns, toAuditEntry, unsuccessfulStatuses } from './audit-entry.ts';

/** A position between entries. The ID is needed because times aren't unique. */
export interface AuditCursor {
  readonly requestedMs: number;
  readonly id: string;
}

export interface AuditQuery {
  readonly teamId: string;
  /** Only this person's runs. */
  readonly userId?: string;
  readonly sinceMs?: number;
  /** Only runs requested at or before this time. */
  readonly untilMs?: number;
  /** Only runs that can be about this VPS. */
  readonly vps?: VpsQuery;
  /** Only runs with a status that can be unsuccessful. */
  readonly isUnsuccessful?: boolean;
}

/** Finds the runs that can be about a VPS: by their target, or by their operation. */
export interface VpsQuery {
  readonly vps: string;
  /** Operations on VPS. If their input is incomplete, they have no target. */
  readonly operations: readonly string[];
  /** The operations among them that have another target than their VPS, such as a load balancer. */
  readonly withOtherTarget: readonly string[];
}

export interface AuditReadOptions {
  readonly direction: 'older' | 'newer';
  /** Without a cursor, reading starts at the newest entry (`older`) or the oldest one (`newer`). */
  readonly from?: AuditCursor | undefined;
  readonly limit: number;
}

/** The statuses are literals, because databases don't use a partial index for bound parameters. */
const hasUnsuccessfulStatus = sql<boolean>`status in (${sql.join(unsuccessfulStatuses.map((status) => sql.lit(status)))})`;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** Reads and deletes entries. It can't change them. */
export function createAuditStore(db: Database) {
  const selectEntries = () => db.selectFrom('run').select(auditColumns);

  function readRows(
    { teamId, userId, sinceMs, untilMs, isUnsuccessful = false }: AuditQuery,
    { direction, from, limit }: AuditReadOptions,
    narrow: (run: ReturnType<typeof selectEntries>) => ReturnType<typeof selectEntries> = (run) => run,
    { matchesFew = false } = {},
  ) {
    const order = direction === 'older' ? 'desc' : 'asc';
    // To find few entries, SQLite would walk the index on the time through all of them. It can't use
    // that index for an expression.
    const time = matchesFew ? sql`requested_at + 0` : ('requested_at' as const);
    return narrow(selectEntries())
      .where('team_id', '=', teamId)
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
      .$if(sinceMs !== undefined, (query) => query.where('requested_at', '>=', sinceMs ?? 0))
      .$if(untilMs !== undefined, (query) => query.where('requested_at', '<=', untilMs ?? 0))
      .$if(isUnsuccessful, (query) => query.where(hasUnsuccessfulStatus))
      .$if(from !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('requested_at', 'id'),
            direction === 'older' ? '<' : '>',
            tuple(from?.requestedMs ?? 0, from?.id ?? ''),
          ),
        ),
      )
      .orderBy(time, order)
      .orderBy('id', order)
      .limit(limit)
      .execute();
  }

  return {
    /** Returns up to `limit` entries, in the order in which they are read. */
    async read(query: AuditQuery, options: AuditReadOptions): Promise<readonly AuditEntry[]> {
      const { vps } = query;
      if (vps === undefined) return (await readRows(query, options)).map(toAuditEntry);
      // Each of these queries uses an index. One query with `or` wouldn't.
      const batches = await Promise.all([
        readRows(query, options, (run) => run.where('target', '=', vps.vps)),
        ...vps.operations.map((operation) =>
          readRows(query, options, (run) =>
            run.where('operation', '=', operation).where('target', 'is', null),
          ),
        ),
        readRows(
          query,
          options,
          (run) => run.where('operation', 'in', [...vps.withOtherTarget]).where('target', '<>', vps.vps),
          { matchesFew: true },
        ),
      ]);
      const sign = options.direction === 'older' ? -1 : 1;
      return batches
        .flat()
        .sort((a, b) => sign * (a.requested_at - b.requested_at || (a.id < b.id ? -1 : 1)))
        .slice(0, options.limit)
        .map(toAuditEntry);
    },

    /**
     * Deletes up to `limit` runs, from any workspace, that settled before `beforeMs`, and leaves their
     * tombstones. Returns how many were deleted.
     */
    async deleteBefore(
      beforeMs: number,
      limit: number,
      recordErasure: (db: Database, runIds: readonly string[]) => Promise<void>,
    ): Promise<number> {
      return db.transaction().execute(async (transaction) => {
        const deleted = await transaction
          .deleteFrom('run')
          .where('id', 'in', (query) =>
            query
              .selectFrom('run')
              .select('id')
              .where('settled_at', '<', beforeMs)
              .orderBy('settled_at')
              .limit(limit),
          )
          .where('settled_at', '<', beforeMs)
          .returning('id')
          .execute();
        await recordErasure(
          transaction,
          deleted.map(({ id }) => id),
        );
        return deleted.length;
      });
    },
  };
}
