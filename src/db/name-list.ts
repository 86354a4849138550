import { deletedState } from './deleted-state.ts';
import type { Database } from './engines/database.ts';

/**
 * Returns a function that lists the names of a workspace's rows, sorted, also of rows that can't be
 * read. Deleted rows are left out.
 */
export function createNameList(
  db: Database,
  table: 'report' | 'watch' | 'schedule',
): (teamId: string) => Promise<readonly string[]> {
  return async (teamId) => {
    const named = db.selectFrom(table).select('name').where('team_id', '=', teamId).orderBy('name');
    const rows = await named.where('state', '!=', deletedState).execute();
    return rows.map(({ name }) => name);
  };
}
