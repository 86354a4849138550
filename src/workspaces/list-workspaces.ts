import type { Database } from '../db/engines/database.ts';
import { createSuspensions } from './suspensions.ts';

/** A workspace as the operator sees it. */
export interface WorkspaceSummary {
  readonly teamId: string;
  readonly teamName: string;
  readonly enterpriseId: string | null;
  readonly installedMs: number;
  readonly hasApiKey: boolean;
  readonly lastRunMs: number | null;
  /** Why the workspace is suspended, or null. */
  readonly suspendedReason: string | null;
}

/** Lists all installations, oldest first. */
export async function listWorkspaces(db: Database): Promise<readonly WorkspaceSummary[]> {
  const suspended = new Map(
    (await createSuspensions(db).list()).map(({ teamId, reason }) => [teamId, reason]),
  );
  const rows = await db
    .selectFrom('installation')
    .leftJoin('api_key', 'api_key.team_id', 'installation.team_id')
    .select(({ selectFrom }) => [
      'installation.team_id',
      'team_name',
      'enterprise_id',
      'installed_at',
      'api_key.connected_at',
      selectFrom('run')
        .select(({ fn }) => fn.max('requested_at').as('latest'))
        .whereRef('run.team_id', '=', 'installation.team_id')
        .as('last_run_at'),
    ])
    .orderBy('installed_at')
    .orderBy('installation.team_id')
    .execute();
  return rows.map((row) => ({
    teamId: row.team_id,
    teamName: row.team_name,
    enterpriseId: row.enterprise_id,
    installedMs: row.installed_at,
    hasApiKey: row.connected_at !== null,
    lastRunMs: row.last_run_at,
    suspendedReason: suspended.get(row.team_id) ?? null,
  }));
}
