import type { Effect } from '../hosting/endpoints/endpoint.ts';
import type { Fact, RedactedOutcome } from '../operations/define/outcome.ts';
import type { Problem } from './problem.ts';
import type { Run, RunSettlement } from './run.ts';

export type RunReply =
  | {
      readonly kind: 'outcome';
      readonly runId: string;
      readonly outcome: RedactedOutcome;
      readonly unrecorded?: UnrecordedEnd;
    }
  | { readonly kind: 'confirmation'; readonly confirmation: Confirmation }
  /** The run's message or its approval cards show what happens next. */
  | { readonly kind: 'started' }
  /** `runId` is set if a run ended with this problem. */
  | {
      readonly kind: 'problem';
      readonly problem: Problem;
      readonly runId?: string;
      readonly unrecorded?: UnrecordedEnd;
    }
  /** The same request was already made, so no reply is needed. */
  | { readonly kind: 'duplicate' };

/** The end of a read, stored once the actor has the reply, so one write records both. */
export interface UnrecordedEnd {
  readonly run: Run;
  readonly end: RunSettlement;
}

export interface Confirmation {
  /** The confirm button's value, which ties the button to the run and the state shown on the card. */
  readonly token: string;
  readonly title: string;
  readonly button: string;
  /** A second button, which confirms and limits how many VPS are changed at a time. */
  readonly pace?: { readonly button: string; readonly atATime: number };
  /** Whether to show a button that takes a snapshot first. */
  readonly offersSnapshot?: true;
  readonly warning?: string;
  readonly notes?: readonly string[];
  readonly effect: Effect;
  readonly facts: readonly Fact[];
  /** Whether the card asks for a reason, and whether the reason is required or optional. */
  readonly reason?: 'required' | 'optional';
  /** Text that the actor must type before the button works. */
  readonly textToType?: string;
  /** Other accepted texts, such as the VPS's hostname. */
  readonly alsoAccepted?: readonly string[];
  /** Whether the target has changed since this run's previous card. */
  readonly hasTargetChanged: boolean;
}
