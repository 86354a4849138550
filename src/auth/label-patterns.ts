import { isVpsName } from '../hosting/profile/values/records.ts';
import { loadVpsLabels } from '../operations/choices/sources/vps-labels.ts';
import type { OperationContext } from '../operations/define/operation.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import { labelOutcome } from '../operations/format/label-vps.ts';

/** Labels the VPS in an outcome about rights or rules on these patterns. */
export async function labelPatterns(
  outcome: Outcome,
  patterns: readonly string[],
  context: Pick<OperationContext, 'read' | 'workspace' | 'loadAccess'>,
): Promise<Outcome> {
  return patterns.some(isVpsName) ? labelOutcome(outcome, await loadVpsLabels(context)) : outcome;
}
