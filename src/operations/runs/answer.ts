import type { Effect } from '../../hosting/endpoint.ts';
import type { Fact, ToldOutcome } from '../outcome.ts';
import type { Problem } from './problem.ts';

/** What to tell the asker, and nobody else. */
export type Answer =
  | { readonly kind: 'outcome'; readonly runId: string; readonly outcome: ToldOutcome }
  | { readonly kind: 'confirmation'; readonly confirmation: Confirmation }
  /** The run is under way, and its own message tells of it. */
  | { readonly kind: 'started' }
  /** `runId`: the run that it has ended, if it has. */
  | { readonly kind: 'problem'; readonly problem: Problem; readonly runId?: string }
  /** Asked before: there is nothing to tell. */
  | { readonly kind: 'duplicate' };

/** Asks the person whether to go on. */
export interface Confirmation {
  /** What its button carries: bound to the run and to the state that is shown. */
  readonly token: string;
  readonly title: string;
  readonly button: string;
  readonly warning?: string;
  readonly effect: Effect;
  /** The target as it is now. */
  readonly facts: readonly Fact[];
  /** What must be typed before the button does anything. */
  readonly typed?: string;
  /** Whether the target has changed since it was asked before. */
  readonly isAskedAgain: boolean;
}
