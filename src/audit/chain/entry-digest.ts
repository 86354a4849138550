import { createHash } from 'node:crypto';
import type { RunRow } from '../../db/schema/schema.ts';
import { toAuditEntry } from '../audit-entry.ts';

/**
 * The columns that a digest covers: everything that the activity log shows except the outcome. They never
 * change once a run has settled.
 */
export const digestedColumns = [
  'id',
  'team_id',
  'user_id',
  'operation',
  'log_kind',
  'input',
  'display_names',
  'title',
  'target',
  'origin',
  'status',
  'ask_id',
  'approved_by',
  'error_code',
  'requested_at',
  'queued_at',
  'sent_at',
  'settled_at',
] as const satisfies readonly (keyof RunRow)[];

/** Returns the digest of an entry without its outcome, because the outcome can be deleted earlier than the entry. */
export function digestEntry(row: Pick<RunRow, (typeof digestedColumns)[number]>): string {
  return sha256(JSON.stringify(digestedColumns.map((column) => row[column])));
}

/**
 * Returns the digest of a run's summary and of the person who declined the run. Returns null if the
 * summary was deleted.
 */
export function digestSummary(row: RunRow): string | null {
  const { summary, declinedBy } = toAuditEntry(row);
  return summary === null ? null : sha256(JSON.stringify([summary, declinedBy]));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
