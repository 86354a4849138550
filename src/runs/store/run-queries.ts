import type { Database } from '../../db/engines/database.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { Run } from '../run.ts';
import { toRun } from './run-row.ts';

export function createRunQueries(db: Database) {
  return {
    async find(id: string): Promise<Run | undefined> {
      const row = await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toRun(row);
    },

    async findByRequestKey(requestKey: string): Promise<Run | undefined> {
      const row = await db
        .selectFrom('run')
        .selectAll()
        .where('request_key', '=', requestKey)
        .executeTakeFirst();
      return row && toRun(row);
    },

    /** Lists a workspace's queued, running and executed runs, newest first. Leaves out parts of other runs. */
    async listRecent(teamId: string, limit: number): Promise<readonly Run[]> {
      const rows = await db
        .selectFrom('run')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('queued_at', 'is not', null)
        .where('batch_id', 'is', null)
        .orderBy('requested_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRun);
    },

    /** Lists a person's runs that were denied for lack of a right, newest first. */
    async listDenied({ teamId, userId }: Actor, sinceMs: number, limit: number): Promise<readonly Run[]> {
      const rows = await db
        .selectFrom('run')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('user_id', '=', userId)
        .where('requested_at', '>=', sinceMs)
        .where('error_code', '=', 'not_permitted')
        .orderBy('requested_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRun);
    },

    async listBatch(batchId: string): Promise<readonly Run[]> {
      const rows = await db.selectFrom('run').selectAll().where('batch_id', '=', batchId).execute();
      return rows.map(toRun);
    },
  };
}
