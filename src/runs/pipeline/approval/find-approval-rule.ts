import type { ChangeRun } from '../run-context.ts';

/**
 * Returns the rule that requires approval for a change. If the rule names a channel, the card is
 * posted there.
 */
export type FindApprovalRule = (
  change: Pick<ChangeRun, 'run' | 'operation' | 'parsed'>,
) => Promise<{ readonly channel: string | null } | undefined>;
