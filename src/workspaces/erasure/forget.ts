import { sql } from 'kysely';
import type { AuditChain } from '../../audit/chain/audit-chain.ts';
import type { Database } from '../../db/engines/database.ts';
import { erasedPerson } from '../../db/erased-person.ts';
import type { Schema } from '../../db/schema/schema.ts';
import { storedData, storedTables } from '../../db/stored-data.ts';
import { deletePersonRows, deleteWorkspaceRows, type TableCount } from './delete-rows.ts';

export interface ErasureReport {
  readonly deleted: readonly TableCount[];
  /** Rows that belong to other people or the team and in which the person's ID was replaced. */
  readonly replaced: readonly TableCount[];
  /** Rows that still contain the person's ID. Empty after a complete erasure. */
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

/** Rewrites the database file, because its free pages can still contain deleted rows. */
async function overwriteDeleted(db: Database): Promise<void> {
  await sql`vacuum`.execute(db);
}

type Row = Readonly<Record<string, unknown>>;

/** Counts the rows that contain a Slack ID in any column. */
async function countMentions(db: Database, slackId: string, teamId?: string): Promise<readonly TableCount[]> {
  const counts: TableCount[] = [];
  for (const table of storedTables) {
    const rows = (await findMentions(db, table, slackId, teamId)).length;
    if (rows > 0) counts.push({ table, rows });
  }
  return counts;
}

async function listMentioningRuns(
  db: Database,
  slackId: string,
  teamId?: string,
): Promise<readonly string[]> {
  return (await findMentions(db, 'run', slackId, teamId)).map(({ id }) => String(id));
}

/** Replaces a Slack ID in every column. Returns how many rows were changed. */
async function replaceMentions(
  db: Database,
  slackId: string,
  teamId?: string,
): Promise<readonly TableCount[]> {
  const counts: TableCount[] = [];
  for (const table of storedTables) {
    const found = await findMentions(db, table, slackId, teamId);
    for (const row of found) {
      const changes = listMentioningColumns(row, slackId).map(
        ([column, text]) =>
          sql`${sql.ref(column)} = ${text.replaceAll(createIdPattern(slackId), erasedPerson)}`,
      );
      const isRow = storedData[table].key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
      await sql`update ${sql.table(table)} set ${sql.join(changes)}
        where ${sql.join(isRow, sql` and `)}`.execute(db);
    }
    if (found.length > 0) counts.push({ table, rows: found.length });
  }
  return counts;
}

async function findMentions(
  db: Database,
  table: keyof Schema,
  slackId: string,
  teamId: string | undefined,
): Promise<readonly Row[]> {
  const columns = await listTextColumns(db, table);
  if (columns.length === 0) return [];
  const mentions = columns.map((column) => sql`${sql.ref(column)} like ${`%${slackId}%`}`);
  const { workspace } = storedData[table];
  const isInTeam =
    teamId !== undefined && workspace?.kind === 'team'
      ? sql`${sql.ref(workspace.column)} = ${teamId}`
      : sql`1 = 1`;
  const { rows } = await sql<Row>`select * from ${sql.table(table)}
    where (${sql.join(mentions, sql` or `)}) and ${isInTeam}`.execute(db);
  return rows.filter((row) => listMentioningColumns(row, slackId).length > 0);
}

async function listTextColumns(db: Database, table: keyof Schema): Promise<readonly string[]> {
  const tables = await db.introspection.getTables();
  const columns = tables.find(({ name }) => name === table)?.columns ?? [];
  return columns.flatMap(({ name, dataType }) => (dataType.toLowerCase() === 'text' ? [name] : []));
}

function listMentioningColumns(row: Row, slackId: string): readonly (readonly [string, string])[] {
  const pattern = createIdPattern(slackId);
  return Object.entries(row).flatMap(([column, value]) =>
    typeof value === 'string' && value.search(pattern) >= 0 ? [[column, value] as const] : [],
  );
}

/** Creates a pattern that matches only the whole ID: U0BOB isn't found in U0BOBBY. */
function createIdPattern(slackId: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])${slackId}(?![A-Za-z0-9])`, 'g');
}
