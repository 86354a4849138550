import type { Database } from '../db/engines/database.ts';
import { createRowReader } from '../db/row-reader.ts';
import type { LogKind } from '../runs/log-kind.ts';
import {
  type AuditEntry,
  auditColumns,
  readAuditEntry,
  toAuditEntry,
  unsuccessfulStatuses,
} from './audit-entry.ts';

/** A position between two entries. The ID is needed because several entries can have the same time. */
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
  /** Only runs that may be about this VPS. The result can also contain other runs. */
  readonly vps?: string;
  readonly kinds?: readonly LogKind[];
  /** Only runs that may have been unsuccessful. The result can also contain other runs. */
  readonly isUnsuccessful?: boolean;
}

interface AuditReadOptions {
  readonly direction: 'older' | 'newer';
  /**
   * Where to start reading. Without a cursor, reading starts at the newest entry (`older`) or the oldest
   * one (`newer`).
   */
  readonly from?: AuditCursor | undefined;
  readonly limit: number;
}

interface AuditBatch {
  /** The entries in the order in which they were read. */
  readonly entries: readonly AuditEntry[];
  /** Where to continue reading. Undefined if no runs are left. */
  readonly next?: AuditCursor;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(db: Database, rowReader = createRowReader()) {
  const { readAll } = rowReader.forTable({
    table: 'run',
    noun: 'entry of the activity log',
    toValue: readAuditEntry,
    toId: ({ id }) => id,
  });

  return {
    /** Reads the next entries that may match a query. */
    async read(query: AuditQuery, { direction, from, limit }: AuditReadOptions): Promise<AuditBatch> {
      const { teamId, userId, sinceMs, untilMs, vps, kinds, isUnsuccessful } = query;
      const order = direction === 'older' ? 'desc' : 'asc';
      let runs = db.selectFrom('run').select(auditColumns).where('team_id', '=', teamId);
      if (userId !== undefined) runs = runs.where('user_id', '=', userId);
      if (sinceMs !== undefined) runs = runs.where('requested_at', '>=', sinceMs);
      if (untilMs !== undefined) runs = runs.where('requested_at', '<=', untilMs);
      if (kinds) runs = runs.where('log_kind', 'in', kinds);
      if (isUnsuccessful) runs = runs.where('status', 'in', unsuccessfulStatuses);
      if (vps !== undefined)
        runs = runs.where(({ or, eb, fn }) =>
          or([eb('target', '=', vps), eb(fn<string>('lower', ['input']), 'like', `%${vps.toLowerCase()}%`)]),
        );
      if (from)
        runs = runs.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('requested_at', 'id'),
            direction === 'older' ? '<' : '>',
            tuple(from.requestedMs, from.id),
          ),
        );
      const rows = await runs.orderBy('requested_at', order).orderBy('id', order).limit(limit).execute();
      const last = rows.length === limit ? rows.at(-1) : undefined;
      return {
        // An entry that can't be read is still shown, so the log has no gaps.
        entries: rows.map((row) => readAll([row])[0] ?? toAuditEntry(row)),
        ...(last && { next: { requestedMs: last.requested_at, id: last.id } }),
      };
    },

    /**
     * Deletes up to `limit` runs, from any workspace, that settled before `beforeMs`, and leaves
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
