import type { Value } from '../../operations/outcome.ts';
import type { Run, RunResult } from '../../operations/runs/run.ts';
import type { RunRow } from '../../storage/schema.ts';

/** What the record tells of a run as it is. */
type RunFacts = Pick<
  Run,
  | 'id'
  | 'asker'
  | 'operation'
  | 'input'
  | 'target'
  | 'origin'
  | 'status'
  | 'requestedMs'
  | 'queuedMs'
  | 'settledMs'
>;

/** A run as the record tells of it. */
export interface RecordedRun extends RunFacts {
  /** Whether a second person was asked. */
  readonly wantedApproval: boolean;
  readonly approvedBy: string | null;
  readonly declinedBy: string | null;
  readonly errorCode: string | null;
  /** How it ended, in a sentence: why not, or the title of what was answered. */
  readonly said: string | null;
  readonly sentMs: number | null;
}

/** The columns that the record tells of. */
export const recordedColumns = [
  'id',
  'team_id',
  'user_id',
  'operation',
  'input',
  'target',
  'origin',
  'status',
  'approval_cards',
  'approved_by',
  'error_code',
  'outcome',
  'requested_at',
  'queued_at',
  'sent_at',
  'settled_at',
] as const satisfies readonly (keyof RunRow)[];

/** Reads a row of the record. */
export function toRecorded(row: Pick<RunRow, (typeof recordedColumns)[number]>): RecordedRun {
  const result: RunResult | null = row.outcome === null ? null : JSON.parse(row.outcome);
  return {
    id: row.id,
    asker: { teamId: row.team_id, userId: row.user_id },
    operation: row.operation,
    input: JSON.parse(row.input),
    target: row.target,
    origin: JSON.parse(row.origin),
    status: row.status,
    wantedApproval: row.approval_cards !== null,
    approvedBy: row.approved_by,
    declinedBy: result?.kind === 'problem' ? (result.problem.by ?? null) : null,
    errorCode: row.error_code,
    said: result && saidIn(result),
    requestedMs: row.requested_at,
    queuedMs: row.queued_at,
    sentMs: row.sent_at,
    settledMs: row.settled_at,
  };
}

function saidIn(result: RunResult): string {
  return result.kind === 'problem' ? result.problem.what : result.outcome.title;
}

/** How long a run took and waited, in ms; nothing for what it has not come to. */
export interface Waits {
  /** From asking to its end. */
  readonly tookMs: number | null;
  /** For its checks, its confirmation and its approval. */
  readonly forConfirmationMs: number | null;
  /** For a slot of the quota. */
  readonly forQuotaMs: number | null;
  /** For the answer of the hosting service. */
  readonly forAnswerMs: number | null;
}

/** Tells how long a run took, and what it waited for. */
export function waitsOf({ requestedMs, queuedMs, sentMs, settledMs }: RecordedRun): Waits {
  return {
    tookMs: between(requestedMs, settledMs),
    forConfirmationMs: between(requestedMs, queuedMs),
    forQuotaMs: between(queuedMs, sentMs),
    forAnswerMs: between(sentMs, settledMs),
  };
}

/** Writes how long a run took; most are over within a second. */
export function tookValue(tookMs: number): Value {
  return tookMs < 1_000 ? `${tookMs} ms` : { durationMs: tookMs };
}

/** Replicas may differ in their clocks by a little. */
function between(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : Math.max(0, toMs - fromMs);
}
