import { sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import { rowAddressOf } from '../db/engines/row-address.ts';
import { createRowReader } from '../db/row-reader.ts';
import { type AuditEntry, auditColumns, readAuditEntry, toAuditEntry } from './audit-entry.ts';
import {
  type AuditCursor,
  type AuditQuery,
  containsWords,
  listSelections,
  type RunSelection,
} from './audit-query.ts';

export interface AuditReadOptions {
  readonly direction: 'older' | 'newer';
  /** Without a cursor, reading starts at the newest entry (`older`) or the oldest one (`newer`). */
  readonly from?: AuditCursor | undefined;
  /** How many runs are read. Fewer are returned if the query has a text. */
  readonly limit: number;
}

export interface AuditBatch {
  /** In the order in which they are read. */
  readonly entries: readonly AuditEntry[];
  /** Where to go on reading. Undefined if no runs are left. */
  readonly next?: AuditCursor;
}

/** A search for the entries that can match a query. */
export interface AuditSearch {
  /** Reads the next entries. */
  read(options: AuditReadOptions): Promise<AuditBatch>;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** Reads and deletes entries. It can't change them. */
export function createAuditStore(db: Database, rowReader = createRowReader()) {
  const { readAll } = rowReader.forTable({
    table: 'run',
    noun: 'entry of the activity log',
    toValue: readAuditEntry,
    toId: ({ id }) => id,
  });

  const rowAddress = rowAddressOf(db);

  /** Selects up to `limit` runs, in the order in which they are read. */
  function selectRuns(
    { teamId, userId, sinceMs, untilMs }: AuditQuery,
    { direction, from, limit }: AuditReadOptions,
    conditions: RunSelection,
  ) {
    const order = direction === 'older' ? 'desc' : 'asc';
    return db
      .selectFrom('run')
      .select(['id', 'requested_at', rowAddress.as('address')])
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
      .where((run) => run.and(conditions))
      .orderBy('requested_at', order)
      .orderBy('id', order)
      .limit(limit);
  }

  async function readBatch(
    query: AuditQuery,
    selections: readonly RunSelection[],
    options: AuditReadOptions,
  ): Promise<AuditBatch> {
    const [first, ...others] = selections.map((selection) =>
      db.selectFrom(selectRuns(query, options, selection).as('selected')).selectAll(),
    );
    if (!first) return { entries: [] };
    const order = options.direction === 'older' ? 'desc' : 'asc';
    const end = options.direction === 'older' ? 'asc' : 'desc';
    const found = others.reduce((union, other) => union.union(other), first);
    const rows = await db
      .with(
        (cte) => cte('found').materialized(),
        () => found.orderBy('requested_at', order).orderBy('id', order).limit(options.limit),
      )
      .with('last', (cte) =>
        cte.selectFrom('found').select('id').orderBy('requested_at', end).orderBy('id', end).limit(1),
      )
      .selectFrom('found')
      .innerJoin('run', (join) => join.on(sql<boolean>`run.${rowAddress} = found.address`))
      .select(auditColumns.map((column) => `run.${column}` as const))
      .select((run) =>
        run.selectFrom('found').select(run.fn.countAll<number>().as('count')).as('found_count'),
      )
      // The last run is always read, because reading goes on after it.
      .where((run) =>
        run.or([
          containsWords(query.text ?? ''),
          run('run.id', '=', run.selectFrom('last').select('last.id')),
        ]),
      )
      .orderBy('found.requested_at', order)
      .orderBy('found.id', order)
      .execute();
    const last = rows.at(-1);
    return {
      // The log has no gaps: an entry that can't be read is still shown.
      entries: rows.map((row) => readAll([row])[0] ?? toAuditEntry(row)),
      ...(last &&
        Number(last.found_count) === options.limit && {
          next: { requestedMs: last.requested_at, id: last.id },
        }),
    };
  }

  return {
    search(query: AuditQuery): AuditSearch {
      const selections = listSelections(query);
      return { read: (options) => readBatch(query, selections, options) };
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
