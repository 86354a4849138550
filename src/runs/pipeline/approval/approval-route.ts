import type { Run } from '../../run.ts';
import type { ChangeRun } from '../run-context.ts';

/** The channel and the user group that a rule asks for approval. */
export interface ApprovalRoute {
  /** The channel of the card. If null, approvers get a direct message. */
  readonly channel: string | null;
  /** The ID of the user group that is asked. If it isn't set, everyone who can approve is asked. */
  readonly userGroup?: string | undefined;
}

/** Returns where a rule asks for approval of a change, or undefined if no rule does. */
export type FindApprovalRoute = (
  change: Pick<ChangeRun, 'run' | 'operation' | 'parsed'>,
) => Promise<ApprovalRoute | undefined>;

/** The same for a change that isn't a run yet. */
export type FindApprovalRouteFor = (
  change: Pick<ChangeRun, 'operation' | 'parsed'> & { readonly run: Pick<Run, 'actor'> },
) => Promise<ApprovalRoute | undefined>;
