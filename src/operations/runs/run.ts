import type { RunStatus } from '../../storage/schema.ts';
import type { Called, Progress } from '../operation.ts';
import type { RawInput, ToldOutcome } from '../outcome.ts';
import type { Problem } from './problem.ts';

export type SettledStatus = Exclude<RunStatus, 'waiting' | 'queued' | 'sent'>;

/** Who asked, by the ids that Slack signed. */
export interface Asker {
  readonly teamId: string;
  readonly userId: string;
}

/** Where it was asked; without a channel, in none that others see. */
export interface Origin {
  readonly channel?: string;
  readonly threadTs?: string;
  /** Where Slack takes an answer for half an hour, also where the app is no member, or is there no more. */
  readonly responseUrl?: string;
}

/** One run of an operation: the row that is also the record. */
export interface Run {
  readonly id: string;
  readonly asker: Asker;
  readonly operation: string;
  readonly input: RawInput;
  /** What people call what the input names by identifiers that say nothing to them, by argument. */
  readonly called?: Called;
  /** What is acted upon. */
  readonly target: string | null;
  readonly origin: Origin;
  readonly status: RunStatus;
  /** State that the confirmation showed. */
  readonly shown: string | null;
  /** When a confirmation was shown anew, because that state had changed. */
  readonly askedAgainMs: number | null;
  /** Epoch ms at which a confirmation or a queued run lapses. */
  readonly notAfterMs: number | null;
  /** Where a second person is asked, and who of them has approved; nothing where nobody need be. */
  readonly approval: {
    readonly places: readonly { readonly channel: string; readonly ts: string }[];
    readonly approverId: string | null;
  } | null;
  /** The message in which the run is told of, once there is one. */
  readonly message: { readonly channel: string; readonly ts: string } | null;
  readonly result: RunResult | null;
  /** How far the work is that goes on after the call; the only part of a settled run that may still change. */
  readonly progress: Progress | null;
  readonly requestedMs: number;
  /** When it was queued: from then on others see it. */
  readonly queuedMs: number | null;
  readonly settledMs: number | null;
}

export type RunResult =
  | { readonly kind: 'outcome'; readonly outcome: ToldOutcome }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** How a run ends. */
export interface RunEnd {
  readonly status: SettledStatus;
  readonly result: RunResult;
}

/**
 * Tells whoever must know how a run stands: at first by a new message, then by editing it. Returns at once; what is announced later replaces
 * what was announced before. `waitMs`: how long the run is estimated to wait for the quota.
 */
export type Announce = (run: Run, progress?: { readonly waitMs: number }) => void;
