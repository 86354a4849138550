import type { RunStatus } from '../db/schema/schema.ts';
import type { WaitReason } from '../hosting/quota/rate-limiter.ts';
import type { Actor, Origin } from '../operations/define/access/actor.ts';
import type { RawInput } from '../operations/define/arguments/raw-input.ts';
import type { RedactedOutcome } from '../operations/define/outcome.ts';
import type { DisplayNames, Progress } from '../operations/define/target-state.ts';
import type { ConfirmedState } from './confirmed-state.ts';
import type { Problem } from './problem.ts';

export type SettledStatus = Exclude<RunStatus, 'waiting' | 'queued' | 'sent'>;

interface RunInAnyState {
  readonly id: string;
  readonly actor: Actor;
  readonly operation: string;
  readonly input: RawInput;
  /** Readable names for opaque IDs in the input, by argument. */
  readonly displayNames?: DisplayNames;
  /** The title of a change, such as "Reboot web-01 (VPS-10001)". Null for a read or invalid input. */
  readonly title: string | null;
  /** The VPS or other resource that the run acts on. */
  readonly target: string | null;
  readonly origin: Origin;
  /** The ID of the run's batch. The batch's message shows the run's progress and result. */
  readonly batchId?: string;
  /** ID of the person who stopped the run, if anyone did. */
  readonly stoppedBy?: string;
  readonly confirmedState: ConfirmedState;
  /** Time (epoch ms) at which a confirmation, an approval request or a queued run expires. */
  readonly expiresMs: number | null;
  /**
   * IDs of the approval request and the approver. `null` if no approval is needed. Parts and scheduled runs have no
   * request of their own.
   */
  readonly approval: { readonly askId: string | null; readonly approverId: string | null } | null;
  readonly requestedMs: number;
  /** Stored columns that can't be read. Their values are missing here. */
  readonly unreadableColumns: readonly string[];
}

/** A change that is being checked, or is waiting for confirmation or approval. */
export interface WaitingRun extends RunInAnyState {
  readonly status: 'waiting';
  readonly queuedMs: null;
  readonly settledMs: null;
  readonly result: null;
  readonly progress: null;
}

/** A change whose call is queued or sent, or another operation that is being executed. */
export interface ActiveRun extends RunInAnyState {
  readonly status: 'queued' | 'sent';
  /** When the run was queued (epoch ms). From then on, other people can see the run. */
  readonly queuedMs: number;
  readonly settledMs: null;
  readonly result: null;
  readonly progress: Progress | null;
}

interface SettledRun extends RunInAnyState {
  /** Null if the run was never queued. */
  readonly queuedMs: number | null;
  readonly settledMs: number;
  /** Progress of work that continues after the call. Can change after the run has settled. */
  readonly progress: Progress | null;
}

/** A run that's done. `result` is null once the result is no longer stored. */
interface DoneRun extends SettledRun {
  readonly status: 'done';
  readonly result: OutcomeResult | null;
}

interface UnsuccessfulRun extends SettledRun {
  readonly status: UnsuccessfulStatus;
  readonly result: ProblemResult | null;
}

/** One run of an operation. The status determines which other fields are set. A settled run is an audit log entry. */
export type Run = WaitingRun | ActiveRun | DoneRun | UnsuccessfulRun;

interface OutcomeResult {
  readonly kind: 'outcome';
  readonly outcome: RedactedOutcome;
}

export interface ProblemResult {
  readonly kind: 'problem';
  readonly problem: Problem;
}

export type RunResult = OutcomeResult | ProblemResult;

export type UnsuccessfulStatus = Exclude<SettledStatus, 'done'>;

/** How a run ends. Only a run that is done has an outcome. */
export type RunSettlement =
  | { readonly status: 'done'; readonly result: OutcomeResult }
  | { readonly status: UnsuccessfulStatus; readonly result: ProblemResult };

export function createProblemEnd(status: UnsuccessfulStatus, problem: Problem): RunSettlement {
  return { status, result: { kind: 'problem', problem } };
}

export interface QueueWait {
  readonly waitMs: number;
  readonly waitReason: WaitReason;
}
