import type { RunRow, RunStatus } from '../db/schema/schema.ts';
import { isVpsName } from '../hosting/payloads/vps-name.ts';
import type { Value } from '../operations/define/outcome.ts';
import type { Progress } from '../operations/define/target-state.ts';
import {
  createVpsLabeler,
  findUnlabelledVps,
  type LabelVps,
  toVpsLabels,
} from '../operations/format/label-vps.ts';
import type { LogKind } from '../runs/log-kind.ts';
import type { Run, RunResult } from '../runs/run.ts';
import { runStatusLabels } from '../runs/run-status.ts';
import { findStatedReason } from '../runs/stated-reason.ts';

type RunFields = Pick<
  Run,
  | 'id'
  | 'actor'
  | 'operation'
  | 'input'
  | 'title'
  | 'target'
  | 'displayNames'
  | 'origin'
  | 'status'
  | 'requestedMs'
  | 'queuedMs'
  | 'settledMs'
>;

/** A run as the activity log shows it. */
export interface AuditEntry extends RunFields {
  /** Whether another person was asked for approval. */
  readonly requiredApproval: boolean;
  readonly approvedBy: string | null;
  readonly declinedBy: string | null;
  readonly errorCode: string | null;
  readonly logKind: LogKind;
  /** The error message or, if there was no error, the title of the outcome. */
  readonly summary: string | null;
  readonly sentMs: number | null;
  /** When the work ended (epoch ms), which can be after the run settled. Null if unknown. */
  readonly workEndedMs: number | null;
  /** Set if the input or the result can't be read. Both are then empty. */
  readonly isUnreadable?: true;
}

/** The columns that {@link toAuditEntry} reads. */
export const auditColumns = [
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
  'outcome',
  'progress',
  'requested_at',
  'queued_at',
  'sent_at',
  'settled_at',
] as const satisfies readonly (keyof RunRow)[];

type AuditRow = Pick<RunRow, (typeof auditColumns)[number]>;

type Details = Pick<
  AuditEntry,
  'input' | 'displayNames' | 'origin' | 'declinedBy' | 'summary' | 'workEndedMs' | 'isUnreadable'
>;

/** The note that an unreadable entry shows instead of its details. */
export const unreadableNote = "this version of Rackhand can't read the details";

const unreadableDetails: Details = {
  input: {},
  origin: {},
  declinedBy: null,
  summary: null,
  workEndedMs: null,
  isUnreadable: true,
};

/** Converts a row to an entry. Leaves out details that are damaged or written by a newer version. */
export function toAuditEntry(row: AuditRow): AuditEntry {
  try {
    return readAuditEntry(row);
  } catch {
    return createEntry(row, unreadableDetails);
  }
}

/** Converts a row to an entry. Throws if the row's details can't be read. */
export function readAuditEntry(row: AuditRow): AuditEntry {
  const result: RunResult | null = row.outcome === null ? null : JSON.parse(row.outcome);
  return createEntry(row, {
    input: JSON.parse(row.input),
    ...(row.display_names !== null && { displayNames: JSON.parse(row.display_names) }),
    origin: JSON.parse(row.origin),
    declinedBy: result?.kind === 'problem' ? (result.problem.decidedBy ?? null) : null,
    summary: result && summarizeResult(result),
    workEndedMs: findWorkEnd(row),
  });
}

function findWorkEnd({ progress, settled_at: settledMs }: AuditRow): number | null {
  if (progress === null) return settledMs;
  const { endedMs }: Progress = JSON.parse(progress);
  return endedMs ?? null;
}

function createEntry(row: AuditRow, details: Details): AuditEntry {
  return {
    id: row.id,
    actor: { teamId: row.team_id, userId: row.user_id },
    operation: row.operation,
    title: row.title,
    target: row.target,
    status: row.status,
    requiredApproval: row.ask_id !== null || row.approved_by !== null,
    approvedBy: row.approved_by,
    errorCode: row.error_code,
    logKind: row.log_kind,
    ...details,
    requestedMs: row.requested_at,
    queuedMs: row.queued_at,
    sentMs: row.sent_at,
    settledMs: row.settled_at,
  };
}

function summarizeResult(result: RunResult): string {
  return result.kind === 'problem' ? result.problem.message : result.outcome.title;
}

/** Returns whether a run's target contains VPS names for which no labels were stored, as in refused runs. */
export function isUnlabelled({
  operation,
  target,
  displayNames,
}: Pick<Run, 'operation' | 'target' | 'displayNames'>): boolean {
  if (displayNames !== undefined || target === null) return false;
  return isVpsName(target) || (hasVpsInTarget.test(operation) && findUnlabelledVps(target).length > 0);
}

/** Matches the operations whose targets mention VPS among other words. Names of reports and watches aren't labeled. */
const hasVpsInTarget = /^(access|approval) /;

/**
 * Returns what a run did: a change's title, such as "Set the SSH port of web-01 (VPS-10001) to 2222", or
 * the operation and its target. VPS are labeled as they were at the time of the run or, if that is
 * unknown, with `labelVps`.
 */
export function formatAction(
  run: Pick<Run, 'operation' | 'title' | 'target' | 'displayNames' | 'input'>,
  labelVps: LabelVps = (text) => text,
): string {
  const { operation, title, target, displayNames } = run;
  const label = isUnlabelled(run) ? labelVps : createVpsLabeler(toVpsLabels(displayNames));
  return title === null ? [operation, target && label(target)].filter(Boolean).join(' ') : label(title);
}

/** Returns what a run did, and the stated reason if there is one. */
export function formatActionWithReason(...[run, labelVps]: Parameters<typeof formatAction>): string {
  const action = formatAction(run, labelVps);
  const reason = findStatedReason(run);
  return reason === undefined ? action : `${action}. Reason: ${reason}`;
}

/** Returns whether a run's action or reason contains a text, ignoring case. */
export function hasText(run: Parameters<typeof formatAction>[0], text: string): boolean {
  return formatActionWithReason(run).toLowerCase().includes(text.toLowerCase());
}

/** Returns whether a run failed because of invalid input, such as a typo, before anything was sent. */
function isInvalidInput({ errorCode, sentMs }: Pick<AuditEntry, 'errorCode' | 'sentMs'>): boolean {
  return errorCode === 'input_invalid' || (errorCode === 'not_found' && sentMs === null);
}

/** Returns whether a run was unsuccessful. Runs that the actor cancelled or mistyped don't count as unsuccessful. */
export function isUnsuccessful(entry: AuditEntry): boolean {
  return unsuccessfulStatuses.includes(entry.status) && !isCancelled(entry) && !isInvalidInput(entry);
}

export const unsuccessfulStatuses: readonly RunStatus[] = ['refused', 'failed', 'unknown', 'expired'];

export function formatEntryStatus(entry: AuditEntry): string {
  if (isCancelled(entry)) return '✖️ Cancelled';
  if (entry.errorCode === 'cancelled') return '🚫 Declined';
  return isInvalidInput(entry) ? '✏️ Invalid input' : runStatusLabels[entry.status];
}

/** Returns whether the actor cancelled the run. If anyone else does so, the run counts as declined. */
function isCancelled({ errorCode, declinedBy, actor }: AuditEntry): boolean {
  return errorCode === 'cancelled' && (declinedBy === null || declinedBy === actor.userId);
}

/** How long the stages of a run took, in ms. A duration is null if the run hasn't reached that stage. */
export interface RunDurations {
  /** From the request to the end of the run. */
  readonly totalMs: number | null;
  /** The time spent on checks, confirmation and approval, even if the run ended there. */
  readonly confirmationMs: number | null;
  /** The time from the end of `confirmationMs` to the end of the work. */
  readonly workMs: number | null;
  /** The time spent waiting for the quota. */
  readonly quotaMs: number | null;
  /** The time spent waiting for the hosting service. */
  readonly responseMs: number | null;
}

export function toRunDurations({
  requestedMs,
  queuedMs,
  sentMs,
  settledMs,
  workEndedMs,
}: AuditEntry): RunDurations {
  return {
    totalMs: elapsedMs(requestedMs, settledMs),
    confirmationMs: elapsedMs(requestedMs, queuedMs ?? settledMs),
    workMs: elapsedMs(queuedMs, workEndedMs),
    quotaMs: elapsedMs(queuedMs, sentMs),
    responseMs: elapsedMs(sentMs, settledMs),
  };
}

/** Formats a duration. Below a second, it is shown in ms, because most runs take less than a second. */
export function toDurationValue(durationMs: number): Value {
  return durationMs < 1_000 ? `${durationMs} ms` : { kind: 'duration', durationMs };
}

/** Returns the time (ms) between two moments. Never negative, even though the clocks of replicas differ slightly. */
function elapsedMs(fromMs: number | null, toMs: number | null): number | null {
  return fromMs === null || toMs === null ? null : Math.max(0, toMs - fromMs);
}
