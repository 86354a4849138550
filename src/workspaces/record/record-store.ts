import type { Database } from '../../storage/database.ts';
import { type RecordedRun, recordedColumns, toRecorded } from './recorded-run.ts';

/** A place in the record, by which it is read on from there: times alone are not unique. */
export interface Position {
  readonly requestedMs: number;
  readonly id: string;
}

/** What of a workspace's record is read. */
export interface Extent {
  readonly teamId: string;
  /** Runs of this person alone. */
  readonly userId?: string;
  readonly sinceMs?: number;
  /** Runs that were asked for up to this moment. */
  readonly untilMs?: number;
}

/** From where it is read on, and into which direction; from its end where no position is given. */
export interface Reading {
  readonly direction: 'older' | 'newer';
  readonly from?: Position | undefined;
  readonly most: number;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Creates what reads the record, piece by piece, and forgets what is too old. It can change nothing that is in it. */
export function createRecordStore(db: Database) {
  return {
    /** Gives a piece of the record, in the order in which it is read. */
    async read(extent: Extent, { direction, from, most }: Reading): Promise<readonly RecordedRun[]> {
      const { teamId, userId, sinceMs, untilMs } = extent;
      const order = direction === 'older' ? 'desc' : 'asc';
      const rows = await db
        .selectFrom('run')
        .select(recordedColumns)
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
        .limit(most)
        .execute();
      return rows.map(toRecorded);
    },

    /** Forgets at most `most` runs that ended before a moment, whatever the workspace; answers how many they were. What has not ended stays. */
    async forgetBefore(beforeMs: number, most: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('run')
        .where('id', 'in', (query) =>
          query
            .selectFrom('run')
            .select('id')
            .where('settled_at', '<', beforeMs)
            .orderBy('settled_at')
            .limit(most),
        )
        .where('settled_at', '<', beforeMs)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** Claims something that is done once in a while: `false` where a process has done it since `beforeMs`. */
    async claimUpkeep(name: string, beforeMs: number, nowMs: number): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('record_upkeep')
        .values({ name, done_at: nowMs })
        .onConflict((conflict) =>
          conflict
            .column('name')
            .doUpdateSet({ done_at: nowMs })
            .where('record_upkeep.done_at', '<=', beforeMs),
        )
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },
  };
}
