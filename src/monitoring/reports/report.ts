import type { Selectable } from 'kysely';
import type { ReportTable } from '../../db/schema/monitoring-tables.ts';
import { toPauseReason } from '../../plans/pause-reason.ts';
import { type When, when as whenSchema } from '../../time/when.ts';
import type { Monitor, PausedState } from '../shared/monitor/monitor.ts';

export type ReportState =
  | { readonly kind: 'active'; readonly nextMs: number | null }
  | (PausedState & { readonly sinceMs: number })
  | { readonly kind: 'deleted' };

/** The part of a report that a person decides. */
export interface ReportPlan {
  /** Unique in the workspace. */
  readonly name: string;
  readonly channel: string;
  readonly timing: When;
  /** The report's content and VPS, as plain data. Its schema is `reportContent`. */
  readonly content: unknown;
}

export interface Report extends ReportPlan, Monitor {
  readonly createdMs: number;
  readonly state: ReportState;
  /** Incremented with each edit. */
  readonly revision: number;
  /** When the last finished occurrence was due. */
  readonly lastFinishedDueMs: number | null;
  /**
   * The due time of the first occurrence after `lastFinishedDueMs` that was missed because Rackhand
   * was down or failed.
   */
  readonly skippedSinceMs: number | null;
}

/** An occurrence that is due soon or running. */
export interface ScheduledOccurrence {
  readonly report: Report;
  readonly dueMs: number;
}

type Row = Selectable<ReportTable>;

/**
 * Replaces stored times that this version can't read, such as one written by a later
 * version. Calculating its times throws.
 */
const unreadableWhen: When = {
  kind: 'cron',
  expression: 'not understood',
  zone: 'UTC',
};

/**
 * Parses the times. Unreadable ones are replaced, so that they don't affect the other reports.
 */
function timingOf(row: Row): When {
  return whenSchema.safeParse(JSON.parse(row.timing)).data ?? unreadableWhen;
}

export function toReport(row: Row): Report {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    channel: row.channel,
    timing: timingOf(row),
    content: JSON.parse(row.content),
    createdBy: row.created_by,
    createdMs: row.created_at,
    state: stateOf(row),
    revision: row.revision,
    lastFinishedDueMs: row.last_due_at,
    skippedSinceMs: row.missed_since,
  };
}

function stateOf(row: Row): ReportState {
  if (row.state === 'active') return { kind: 'active', nextMs: row.next_at };
  if (row.state === 'deleted') return { kind: 'deleted' };
  return {
    kind: 'paused',
    reason: toPauseReason(row.paused_reason),
    byUserId: row.paused_by,
    sinceMs: row.paused_at ?? 0,
  };
}
