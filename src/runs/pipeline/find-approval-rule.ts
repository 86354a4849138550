import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { Run } from '../run.ts';

/**
 * Returns the rule that requires approval for a run. If the rule names a channel, the card is
 * posted there.
 */
export type FindApprovalRule = (
  run: Run,
  operation: ChangeOperation,
) => Promise<{ readonly channel: string | null } | undefined>;
