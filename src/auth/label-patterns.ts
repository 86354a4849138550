import { isVpsName } from '../hosting/payloads/vps-name.ts';
import { loadVpsLabels } from '../operations/choices/sources/vps-labels.ts';
import { canViewVps } from '../operations/define/access/access.ts';
import type { OperationContext } from '../operations/define/operation.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import { createVpsLabeler, labelOutcome, type VpsLabels } from '../operations/format/label-vps.ts';

type LabelContext = Pick<OperationContext, 'read' | 'workspace' | 'loadAccess'>;

/** Labels the VPS in an outcome about a right or rule that applies to these patterns. */
export async function labelPatterns(
  outcome: Outcome,
  patterns: readonly string[],
  context: LabelContext,
): Promise<Outcome> {
  return labelOutcome(outcome, await loadLabels(patterns, context));
}

/** Labels the VPS in a text about a right or rule that applies to a pattern. */
export async function labelPattern(text: string, pattern: string, context: LabelContext): Promise<string> {
  return createVpsLabeler(await loadLabels([pattern], context))(text);
}

/** Loads the labels, but only if the actor can view a VPS that the patterns name. */
async function loadLabels(patterns: readonly string[], context: LabelContext): Promise<VpsLabels> {
  const checkAccess = await context.loadAccess();
  const isShown = patterns.some((pattern) => isVpsName(pattern) && canViewVps(checkAccess, pattern));
  return isShown ? loadVpsLabels(context) : new Map();
}
