import { sql } from 'kysely';
import type { AuditChain } from '../../audit/chain/audit-chain.ts';
import type { Database } from '../../db/engines/database.ts';
import { deletePersonRows, deleteWorkspaceRows, type TableCount } from './delete-rows.ts';
import { countMentions, listMentioningRuns, replaceMentions } from './search-rows.ts';

export interface ErasureReport {
  readonly deleted: readonly TableCount[];
  /** Rows that belong to others or to the team, in which the person's ID was replaced. */
  readonly replaced: readonly TableCount[];
  /** Rows that still contain the ID. Empty after a complete erasure. */
  readonly remaining: readonly TableCount[];
}

/** Deletes everything about a workspace. */
export async function forgetWorkspace(db: Database, teamId: string): Promise<ErasureReport> {
  const deleted = await deleteWorkspaceRows(db, teamId, { scope: 'all' });
  await overwriteDeleted(db);
  return { deleted, replaced: [], remaining: await countMentions(db, teamId) };
}

/** Deletes everything about a person, in one workspace or in all. Leaves tombstones in the activity log. */
export async function forgetPerson(
  db: Database,
  chain: Pick<AuditChain, 'recordErasure'>,
  userId: string,
  teamId?: string,
): Promise<ErasureReport> {
  const { deleted, replaced } = await db.transaction().execute(async (transaction) => {
    const runIds = await listMentioningRuns(transaction, userId, teamId);
    const counts = {
      deleted: await deletePersonRows(transaction, userId, teamId),
      replaced: await replaceMentions(transaction, userId, teamId),
    };
    await chain.recordErasure(transaction, runIds, 'person forgotten', Date.now());
    return counts;
  });
  await overwriteDeleted(db);
  return { deleted, replaced, remaining: await countMentions(db, userId, teamId) };
}

/** Rewrites the database file, because deleted rows can remain in its free pages. */
async function overwriteDeleted(db: Database): Promise<void> {
  await sql`vacuum`.execute(db);
}
