import type { Selectable } from 'kysely';
import type { ReportTable } from '../../storage/report-tables.ts';
import { type Recurrence, recurrence } from './recurrence.ts';

/** Why a report rests: a person wished it, its channel takes no messages of the app, the API key is gone, or its schedule cannot be read. */
export const pauseReasons = ['person', 'channel', 'key', 'schedule'] as const;

export type PauseReason = (typeof pauseReasons)[number];

export type ReportState =
  | { readonly kind: 'active'; readonly nextMs: number | null }
  | {
      readonly kind: 'paused';
      readonly reason: PauseReason;
      /** Nobody where Rackhand did it: then `madeBy` is told. */
      readonly byUserId: string | null;
      readonly sinceMs: number;
    }
  | { readonly kind: 'deleted' };

/** What a person decides about a report. */
export interface ReportPlan {
  /** Unique in its workspace. */
  readonly name: string;
  readonly channel: string;
  readonly recurrence: Recurrence;
  /** What it tells, of which VPS: plain data for whoever makes it. */
  readonly content: unknown;
}

/** A report that comes by itself. */
export interface Report extends ReportPlan {
  readonly id: string;
  readonly teamId: string;
  readonly madeBy: string;
  readonly madeMs: number;
  readonly state: ReportState;
  /** One more each time that it is planned anew. */
  readonly revision: number;
  /** The last time that was brought to its end, as it was due. */
  readonly endedDueMs: number | null;
  /** The first time after that which passed without a report, because Rackhand was not running or failed. */
  readonly skippedSinceMs: number | null;
}

/** A time of a report that is near, or is worked on. */
export interface Upcoming {
  readonly report: Report;
  readonly dueMs: number;
  /** How often it was taken up. */
  readonly attempts: number;
  /** Nobody takes it up before this: after a failure, or while a process has it that lives. */
  readonly notBeforeMs: number;
  /** When a message of an earlier attempt was about to leave, and may have; `null` where none was. */
  readonly postingMs: number | null;
}

type Row = Selectable<ReportTable>;

/** What stands for a schedule that this version does not know, such as one of a later version: whoever needs its times finds them not understood. */
const unknown: Recurrence = { every: 'cron', expression: 'not understood', zone: 'UTC', quiet: [] };

/** One row that cannot be read must not keep the other reports waiting. */
function recurrenceOf(row: Row): Recurrence {
  return recurrence.safeParse(JSON.parse(row.recurrence)).data ?? unknown;
}

/** Reads a report from its row. */
export function toReport(row: Row): Report {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    channel: row.channel,
    recurrence: recurrenceOf(row),
    content: JSON.parse(row.content),
    madeBy: row.made_by,
    madeMs: row.made_at,
    state: stateOf(row),
    revision: row.revision,
    endedDueMs: row.ended_due,
    skippedSinceMs: row.skipped_since,
  };
}

function stateOf(row: Row): ReportState {
  if (row.state === 'active') return { kind: 'active', nextMs: row.next_at };
  if (row.state === 'deleted') return { kind: 'deleted' };
  return {
    kind: 'paused',
    reason: pauseReasons.find((reason) => reason === row.paused_reason) ?? 'person',
    byUserId: row.paused_by,
    sinceMs: row.paused_at ?? 0,
  };
}

/** Reads the time that an active report waits for; nothing where none is left. */
export function toUpcoming(row: Row): Upcoming | undefined {
  if (row.next_at === null) return undefined;
  return {
    report: toReport(row),
    dueMs: row.next_at,
    attempts: row.attempts,
    notBeforeMs: Math.max(row.not_before, row.claim === null ? 0 : row.lease_until),
    postingMs: row.posting_at,
  };
}
