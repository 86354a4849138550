import type { Database } from '../db/engines/database.ts';
import { type AuditEntry, auditColumns, toAuditEntry } from './audit-entry.ts';

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
}

export interface AuditReadOptions {
  readonly direction: 'older' | 'newer';
  /** Without a cursor, reading starts at the newest entry (`older`) or the oldest one (`newer`). */
  readonly from?: AuditCursor | undefined;
  readonly limit: number;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** Creates the store that reads and deletes entries. It can't change them. */
export function createAuditStore(db: Database) {
  return {
    /** Returns up to `limit` entries, in the order in which they are read. */
    async read(
      filter: AuditQuery,
      { direction, from, limit }: AuditReadOptions,
    ): Promise<readonly AuditEntry[]> {
      const { teamId, userId, sinceMs, untilMs } = filter;
      const order = direction === 'older' ? 'desc' : 'asc';
      const rows = await db
        .selectFrom('run')
        .select(auditColumns)
        .where('team_id', '=', teamId)
        .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
        .$if(sinceMs !== undefined, (query) => query.where('requested_at', '>=', sinceMs ?? 0))
        .$if(untilMs !== undefined, (query) => query.where('requested_at', '<=', untilMs ?? 0))
        .$if(from !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple('requested_at', 'id'),
              direction === 'older' ? '<' : '>',
              tuple(from?.requestedMs ?? 0, from?.id ?? ''),
            ),
          ),
        )
        .orderBy('requested_at', order)
        .orderBy('id', order)
        .limit(limit)
        .execute();
      return rows.map(toAuditEntry);
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
