import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { RunRow, RunTable } from '../../db/schema/schema.ts';
import type { Actor, Origin } from '../../operations/define/access/actor.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { RedactedOutcome } from '../../operations/define/outcome.ts';
import type { DisplayNames, Progress } from '../../operations/define/target-state.ts';
import { fromStateColumn, toStateColumn } from '../confirmed-state.ts';
import type { LogKind } from '../log-kind.ts';
import type { Problem } from '../problem.ts';
import type { Run, RunResult, RunSettlement } from '../run.ts';

/** An audit log entry that isn't about a run, such as a connected key or a granted right. */
export type NewAuditEntry = AuditEntrySubject & AuditResult;

/** The entry's result. Stored unchanged, so must not contain secrets. */
export type AuditResult =
  | { readonly status: 'done'; readonly outcome: RedactedOutcome }
  | { readonly status: 'refused'; readonly problem: Problem };

interface AuditEntrySubject {
  readonly actor: Actor;
  /** The name of the operation, or of the most similar operation. */
  readonly operation: string;
  readonly target: string | null;
  /** Input for running the operation again. */
  readonly input?: RawInput;
  readonly origin?: Origin;
  /** Set to store the entry only once, even if it's added again. */
  readonly requestKey?: string;
  readonly nowMs: number;
}

/** Converts a new run to its row, without the owner and the response URL, which has to be encrypted. */
export function toNewRow(run: Run, requestKey: string, logKind: LogKind) {
  return {
    id: run.id,
    request_key: requestKey,
    team_id: run.actor.teamId,
    user_id: run.actor.userId,
    operation: run.operation,
    log_kind: logKind,
    input: JSON.stringify(run.input),
    title: run.title,
    target: run.target,
    origin: toOriginColumn(run.origin),
    batch_id: run.batchId ?? null,
    status: run.status,
    not_after: run.expiresMs,
    requested_at: run.requestedMs,
    queued_at: run.queuedMs,
  };
}

export type ResolvedNames = Pick<Run, 'input' | 'target' | 'title' | 'displayNames'>;

/** A run as shown to a person: its request, and the target's state on the card. */
export type ShownRun = Pick<Run, 'id' | 'confirmedState'> & ResolvedNames;

/** Returns the condition that a run's card is still up to date. */
export function showsState({ confirmedState }: Pick<Run, 'confirmedState'>) {
  const column = toStateColumn(confirmedState);
  return ['shown_state', column === null ? 'is' : '=', column] as const;
}

export function toNameColumns({ input, displayNames, target, title }: ResolvedNames) {
  return {
    input: JSON.stringify(input),
    display_names: displayNames ? JSON.stringify(displayNames) : null,
    target,
    title,
  };
}

/** Converts an audit entry to the row of a settled run. */
export function toAuditRow({
  actor,
  operation,
  target,
  input = {},
  origin = {},
  requestKey,
  nowMs,
  ...result
}: NewAuditEntry): Insertable<RunTable> {
  const id = randomUUID();
  return {
    id,
    request_key: requestKey ?? `audit:${id}`,
    team_id: actor.teamId,
    user_id: actor.userId,
    operation,
    log_kind: 'settings',
    input: JSON.stringify(input),
    target,
    origin: toOriginColumn(origin),
    status: result.status,
    requested_at: nowMs,
    ...toSettledColumns(toRunResult(result), nowMs),
  };
}

function toRunResult(result: AuditResult): RunResult {
  return result.status === 'refused'
    ? { kind: 'problem', problem: result.problem }
    : { kind: 'outcome', outcome: result.outcome };
}

/** Serializes an origin. Its response URL is stored encrypted, or not at all. */
function toOriginColumn({ responseUrl: _, ...place }: Origin): string {
  return JSON.stringify(place);
}

export function toSettledColumns(result: RunSettlement['result'], nowMs: number) {
  return {
    outcome: JSON.stringify(result),
    error_code: result.kind === 'problem' ? result.problem.code : null,
    settled_at: nowMs,
    owner: null,
    lease_until: null,
    trimmed_at: null,
    sealed_at: null,
  };
}

/**
 * Converts a row. A column that isn't valid JSON or doesn't fit the run's state is listed in
 * `unreadableColumns`, so one bad row doesn't block the others.
 */
export function toRun(row: RunRow): Run {
  const unreadableColumns: string[] = [];
  function parse<T>(column: JsonColumn, fallback: T): T {
    const text = row[column];
    if (text === null) return fallback;
    try {
      return JSON.parse(text);
    } catch {
      unreadableColumns.push(column);
      return fallback;
    }
  }
  /**
   * Returns a time that the run's state requires. If the time is missing, lists its column as unreadable
   * and returns the request time.
   */
  function requireTime(column: 'queued_at' | 'settled_at'): number {
    if (row[column] === null) unreadableColumns.push(column);
    return row[column] ?? row.requested_at;
  }
  function parseResult<Kind extends RunResult['kind']>(kind: Kind) {
    const result = parse<RunResult | null>('outcome', null);
    if (isResult(result, kind) || result === null) return result;
    unreadableColumns.push('outcome');
    return null;
  }
  const displayNames = parse<DisplayNames | undefined>('display_names', undefined);
  const { status } = row;
  const common = {
    id: row.id,
    actor: { teamId: row.team_id, userId: row.user_id },
    operation: row.operation,
    input: parse('input', {}),
    ...(displayNames && { displayNames }),
    title: row.title,
    target: row.target,
    origin: parse('origin', {}),
    ...(row.batch_id !== null && { batchId: row.batch_id }),
    ...(row.stopped_by !== null && { stoppedBy: row.stopped_by }),
    confirmedState: fromStateColumn(row.shown_state),
    expiresMs: row.not_after,
    approval:
      row.ask_id === null && row.approved_by === null
        ? null
        : { askId: row.ask_id, approverId: row.approved_by },
    requestedMs: row.requested_at,
    unreadableColumns,
  };
  if (status === 'waiting')
    return { ...common, status, queuedMs: null, settledMs: null, result: null, progress: null };
  const progress = parse<Progress | null>('progress', null);
  if (status === 'queued' || status === 'sent')
    return { ...common, status, queuedMs: requireTime('queued_at'), settledMs: null, result: null, progress };
  const settled = { ...common, queuedMs: row.queued_at, settledMs: requireTime('settled_at'), progress };
  return status === 'done'
    ? { ...settled, status, result: parseResult('outcome') }
    : { ...settled, status, result: parseResult('problem') };
}

function isResult<Kind extends RunResult['kind']>(
  result: RunResult | null,
  kind: Kind,
): result is Extract<RunResult, { kind: Kind }> {
  return result?.kind === kind;
}

type JsonColumn = 'input' | 'display_names' | 'origin' | 'outcome' | 'progress';
