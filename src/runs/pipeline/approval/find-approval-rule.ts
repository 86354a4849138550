import type { Run } from '../../run.ts';
import type { ChangeRun } from '../run-context.ts';

/** A rule that requires approval. If it names a channel, the card is posted there. */
interface FoundRule {
  readonly channel: string | null;
}

/** Returns the rule that requires approval for a change. */
export type FindApprovalRule = (
  change: Pick<ChangeRun, 'run' | 'operation' | 'parsed'>,
) => Promise<FoundRule | undefined>;

/** Returns the rule that requires approval for a change that isn't a run yet. */
export type FindApprovalRuleFor = (
  change: Pick<ChangeRun, 'operation' | 'parsed'> & { readonly run: Pick<Run, 'actor'> },
) => Promise<FoundRule | undefined>;
