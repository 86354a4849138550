import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/engines/database.ts';
import type { Schema } from '../../db/schema/schema.ts';
import { storedData, storedTables } from '../../db/stored-data.ts';

/** How many rows were deleted or changed in a table. */
export interface TableCount {
  readonly table: keyof Schema;
  readonly rows: number;
}

/**
 * Deletes rows of a workspace: all rows, all except its installation, or only the rows that must not
 * outlive its installation.
 */
export async function deleteWorkspaceRows(
  db: Database,
  teamId: string,
  { scope }: { readonly scope: 'all' | 'data' | 'installation' },
): Promise<readonly TableCount[]> {
  const tables = storedTables.filter((table) => {
    if (scope === 'data') return table !== 'installation';
    return scope === 'all' || storedData[table].endsWithInstallation === true;
  });
  return db.transaction().execute(async (transaction) => {
    const counts: TableCount[] = [];
    for (const table of tables) {
      const condition = matchWorkspace(table, teamId);
      if (condition) counts.push({ table, rows: await deleteWhere(transaction, table, condition) });
    }
    return counts.filter(({ rows }) => rows > 0);
  });
}

/** Deletes the rows that belong to a person, and the rows that depend on them. */
export async function deletePersonRows(
  db: Database,
  userId: string,
  teamId: string | undefined,
): Promise<readonly TableCount[]> {
  const counts: TableCount[] = [];
  for (const table of storedTables) {
    const { person, workspace } = storedData[table];
    const owner = workspace?.kind === 'row' ? workspace : undefined;
    const personColumn = owner ? storedData[owner.of].person : person;
    if (!personColumn) continue;
    const isPerson = sql`${sql.ref(personColumn)} = ${userId} and ${matchTeam(teamId)}`;
    const condition = owner
      ? sql`${sql.ref(owner.column)} in (select id from ${sql.table(owner.of)} where ${isPerson})`
      : isPerson;
    counts.push({ table, rows: await deleteWhere(db, table, condition) });
  }
  return counts.filter(({ rows }) => rows > 0);
}

/**
 * Returns the condition that selects a workspace's rows, or undefined if the table has no rows that belong
 * to workspaces.
 */
function matchWorkspace(table: keyof Schema, teamId: string): RawBuilder<unknown> | undefined {
  const { workspace } = storedData[table];
  if (!workspace) return undefined;
  return workspace.kind === 'row'
    ? sql`${sql.ref(workspace.column)} in (select id from ${sql.table(workspace.of)} where team_id = ${teamId})`
    : sql`${sql.ref(workspace.column)} = ${teamId}`;
}

function matchTeam(teamId: string | undefined): RawBuilder<unknown> {
  return teamId === undefined ? sql`1 = 1` : sql`team_id = ${teamId}`;
}

async function deleteWhere(
  db: Database,
  table: keyof Schema,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where ${condition}`.execute(db);
  return Number(numAffectedRows);
}
