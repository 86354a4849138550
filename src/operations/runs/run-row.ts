import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { RunRow, RunTable } from '../../storage/schema.ts';
import type { RawInput, ToldOutcome } from '../outcome.ts';
import type { Problem } from './problem.ts';
import type { Asker, Origin, Run, RunEnd, RunResult } from './run.ts';

/** What was done without a run of its own and belongs into the record: a key that was connected, a right that was granted. */
export interface RecordEntry {
  readonly asker: Asker;
  /** As the record names it: the name of an operation, or what comes nearest to one. */
  readonly operation: string;
  readonly target: string | null;
  /** What was given, of what can be run again. */
  readonly input?: RawInput;
  readonly origin?: Origin;
  readonly status: 'done' | 'refused';
  /** Without secrets: it is kept as it is. */
  readonly outcome: ToldOutcome | Problem;
  readonly nowMs: number;
}

/** Writes the row of what is over already. */
export function recordRow({
  asker,
  operation,
  target,
  input = {},
  origin = {},
  status,
  outcome,
  nowMs,
}: RecordEntry): Insertable<RunTable> {
  const id = randomUUID();
  return {
    id,
    request_key: `record:${id}`,
    team_id: asker.teamId,
    user_id: asker.userId,
    operation,
    input: JSON.stringify(input),
    target,
    origin: JSON.stringify(placeOf(origin)),
    status,
    requested_at: nowMs,
    ...ending(resultOf(outcome), nowMs),
  };
}

function resultOf(told: ToldOutcome | Problem): RunResult {
  return 'code' in told ? { kind: 'problem', problem: told } : { kind: 'outcome', outcome: told };
}

/** Gives of where something was asked what may stay on record: whoever reads a response URL can speak for the app for half an hour. */
export function placeOf({ responseUrl: _, ...place }: Origin): Origin {
  return place;
}

/** Writes what the end of a run changes in its row. */
export function ending(result: RunEnd['result'], nowMs: number) {
  return {
    outcome: JSON.stringify(result),
    error_code: result.kind === 'problem' ? result.problem.code : null,
    settled_at: nowMs,
    owner: null,
    lease_until: null,
  };
}

/** Reads the row of a run. */
export function toRun(row: RunRow): Run {
  return {
    id: row.id,
    asker: { teamId: row.team_id, userId: row.user_id },
    operation: row.operation,
    input: JSON.parse(row.input),
    ...(row.called !== null && { called: JSON.parse(row.called) }),
    target: row.target,
    origin: JSON.parse(row.origin),
    status: row.status,
    shown: row.shown,
    askedAgainMs: row.asked_again_at,
    notAfterMs: row.not_after,
    approval:
      row.approval_cards === null
        ? null
        : { places: JSON.parse(row.approval_cards), approverId: row.approved_by },
    message:
      row.message_channel && row.message_ts ? { channel: row.message_channel, ts: row.message_ts } : null,
    result: row.outcome === null ? null : JSON.parse(row.outcome),
    progress: row.progress === null ? null : JSON.parse(row.progress),
    requestedMs: row.requested_at,
    queuedMs: row.queued_at,
    settledMs: row.settled_at,
  };
}
