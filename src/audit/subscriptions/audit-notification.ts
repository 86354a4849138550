import type { Catalogue } from '../../operations/define/operation.ts';
import type { LabelVps } from '../../operations/format/label-vps.ts';
import { type FindDisplayName, formatActors } from '../actor-names.ts';
import {
  type AuditEntry,
  formatActionWithReason,
  formatEntryStatus,
  toRunDurations,
} from '../audit-entry.ts';

/** One line for a subscribed channel, as plain text. The renderer must escape it. */
export interface AuditNotification {
  /** How the run ended, with a symbol. */
  readonly statusText: string;
  /** The operation and its target. */
  readonly action: string;
  /** Names of the actor and of whoever approved or declined. Unlike mentions, names notify nobody. */
  readonly actors: string;
  readonly durationMs: number | null;
  /** How the run ended. Set only if its status doesn't say enough. */
  readonly summary?: string;
}

/** Errors that only concern the actor, such as a typo. Nothing was changed. */
const privateErrorCodes: ReadonlySet<string | null> = new Set(['cancelled', 'input_invalid', 'not_found']);

/**
 * Returns whether a run is news for a subscribed channel: a queued change, a change that needed
 * approval, a denial, or a change to Rackhand itself. Reads and typos aren't news.
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
