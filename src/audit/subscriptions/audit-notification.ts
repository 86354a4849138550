import type { Catalogue } from '../../operations/define/operation.ts';
import type { LabelVps } from '../../operations/format/label-vps.ts';
import { type FindDisplayName, formatActors } from '../actor-names.ts';
import {
  type AuditEntry,
  formatActionWithReason,
  formatEntryStatus,
  toRunDurations,
} from '../audit-entry.ts';

/** An entry as one line of plain text for a subscribed channel. The renderer must escape it. */
export interface AuditNotification {
  /** How the run ended, with a symbol in front. */
  readonly statusText: string;
  /** The operation and its target. */
  readonly action: string;
  /** The names of the actor and of whoever approved or declined the run. Unlike mentions, names notify nobody. */
  readonly actors: string;
  readonly durationMs: number | null;
  /** More about how the run ended. Set only if the status doesn't say enough. */
  readonly summary?: string;
}

/** Codes of errors that concern only the actor, such as a typo. Nothing was changed. */
const privateErrorCodes: ReadonlySet<string | null> = new Set(['cancelled', 'input_invalid', 'not_found']);

/**
 * Returns whether a subscribed channel is notified of a run: a queued change, a change that needed
 * approval, a denial, or a change to Rackhand itself. It isn't notified of reads and typos.
 */
export function shouldNotify(run: AuditEntry): boolean {
  const { status, errorCode, logKind, queuedMs, requiredApproval } = run;
  if (queuedMs === null && requiredApproval) return true;
  const isPrivate = (status === 'refused' || status === 'failed') && privateErrorCodes.has(errorCode);
  if (isPrivate && !requiredApproval) return false;
  if (status === 'refused') return true;
  return logKind === 'settings' || (logKind === 'changes' && queuedMs !== null);
}

export async function toAuditNotification(
  run: AuditEntry,
  catalogue: Catalogue,
  findDisplayName: FindDisplayName,
  labelVps?: LabelVps,
): Promise<AuditNotification> {
  const { operation, status, summary } = run;
  const isPlainSuccess = status === 'done' && catalogue.find(operation)?.kind === 'change';
  return {
    statusText: formatEntryStatus(run),
    action: formatActionWithReason(run, labelVps),
    actors: await formatActors(run, findDisplayName),
    durationMs: run.queuedMs === null ? null : toRunDurations(run).workMs,
    ...(summary !== null && !isPlainSuccess && { summary }),
  };
}
