import type { Schema } from './schema/schema.ts';

/** Declares which data a table stores about workspaces and people, and when that data is erased. */
export interface StoredData<Table extends keyof Schema = keyof Schema> {
  /** The columns that identify a row. */
  readonly key: readonly (keyof Schema[Table] & string)[];
  /**
   * How a row belongs to a workspace: by the workspace ID in a column, through a row in another table, or
   * not at all.
   */
  readonly workspace:
    | { readonly kind: 'team'; readonly column: keyof Schema[Table] & string }
    | { readonly kind: 'row'; readonly column: keyof Schema[Table] & string; readonly of: keyof Schema }
    | null;
  /** The column that contains the person who owns the row. Erasing that person deletes the row. */
  readonly person?: keyof Schema[Table] & string;
  /** Set if the rows are deleted as soon as the app is removed, rather than after the grace period. */
  readonly endsWithInstallation?: true;
}

type StoredDataOf = { readonly [Table in keyof Schema]: StoredData<Table> };

const byTeam = { kind: 'team', column: 'team_id' } as const;

/**
 * Declares every table, so that erasure misses none. A table whose rows belong to rows in another table
 * comes before that other table.
 */
export const storedData: StoredDataOf = {
  report_baseline: {
    key: ['report_id'],
    workspace: { kind: 'row', column: 'report_id', of: 'plan' },
    endsWithInstallation: true,
  },
  scheduled_snapshot: {
    key: ['schedule_id', 'vps', 'name'],
    workspace: { kind: 'row', column: 'schedule_id', of: 'plan' },
    endsWithInstallation: true,
  },
  job: { key: ['kind', 'id'], workspace: byTeam, person: 'user_id', endsWithInstallation: true },
  message: { key: ['team_id', 'key'], workspace: byTeam, person: 'channel', endsWithInstallation: true },
  run: { key: ['id'], workspace: byTeam, person: 'user_id' },
  one_time_secret: { key: ['id'], workspace: byTeam, person: 'user_id', endsWithInstallation: true },
  api_key: { key: ['team_id'], workspace: byTeam, endsWithInstallation: true },
  approval_rule: { key: ['id'], workspace: byTeam, endsWithInstallation: true },
  access_grant: {
    key: ['team_id', 'grantee', 'pattern', 'expires_at'],
    workspace: byTeam,
    person: 'grantee',
    endsWithInstallation: true,
  },
  ask: { key: ['id'], workspace: byTeam, person: 'user_id', endsWithInstallation: true },
  channel_limit: { key: ['team_id', 'channel'], workspace: byTeam, endsWithInstallation: true },
  audit_subscription: { key: ['team_id'], workspace: byTeam, endsWithInstallation: true },
  audit_chain: { key: ['team_id', 'seq'], workspace: byTeam },
  audit_delivery: { key: ['team_id', 'settled_at', 'run_id'], workspace: byTeam, endsWithInstallation: true },
  service_payload: { key: ['team_id', 'endpoint'], workspace: byTeam, endsWithInstallation: true },
  service_correction: { key: ['team_id', 'reading'], workspace: byTeam, endsWithInstallation: true },
  past_alert: { key: ['watch_id', 'began_at'], workspace: byTeam, endsWithInstallation: true },
  plan: { key: ['id'], workspace: byTeam, endsWithInstallation: true },
  vps_alias: { key: ['team_id', 'vps'], workspace: byTeam, endsWithInstallation: true },
  personal_settings: {
    key: ['team_id', 'user_id'],
    workspace: byTeam,
    person: 'user_id',
    endsWithInstallation: true,
  },
  removed_workspace: { key: ['team_id'], workspace: byTeam },
  org_workspace: { key: ['team_id'], workspace: byTeam },
  installation: { key: ['team_id'], workspace: byTeam },
  // A suspension must remain even if the app is removed. `npm run workspaces -- resume` deletes it.
  suspended_workspace: { key: ['team_id'], workspace: null },
  used_oauth_state: { key: ['digest'], workspace: null },
  quota_slot: { key: ['id'], workspace: null },
  instance_secret: { key: ['name'], workspace: null },
};

/** All tables, in the order in which they are erased. */
export const storedTables = Object.keys(storedData) as readonly (keyof Schema)[];
