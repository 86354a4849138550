import type { Actor, Origin } from '../../operations/define/access/actor.ts';
import type { ParsedInput, ValidInput } from '../../operations/define/arguments/input.ts';
import type { ChangeOperation, Operation } from '../../operations/define/operation.ts';
import type { ActiveRun, Run, WaitingRun } from '../run.ts';
import type { RunEnvironment, RunListeners } from './run-environment.ts';

/** A command, form or button that asks for an operation. */
export interface RunRequest extends RunListeners {
  /** Unique to the request. A second request with the same key is a duplicate. */
  readonly requestKey: string;
  readonly operation: Operation;
  readonly parsed: ParsedInput;
  readonly actor: Actor;
  readonly origin: Origin;
  /** The batch to which the run belongs. */
  readonly batchId?: string;
  /**
   * Set if the input is only a suggestion, or names something that isn't in the service's list.
   * Such names are accepted, and any change asks for a confirmation.
   */
  readonly isUncertain?: boolean;
  /** Set if the request undoes a change: the fingerprint of the state after that change. */
  readonly undoneState?: string | undefined;
  readonly scheduleApproverId?: string | undefined;
  /** When the request arrived. Defaults to now. */
  readonly requestedMs?: number | undefined;
}

/** A change at its scheduled time. It was confirmed, and approved if needed, when it was scheduled. */
export interface ScheduledRequest
  extends Pick<RunRequest, 'requestKey' | 'operation' | 'parsed' | 'actor' | 'origin'> {
  /** ID of the person who approved the schedule, if that was needed. */
  readonly scheduleApproverId: string | undefined;
}

/** A click on a confirmation's button. */
export interface ConfirmationClick extends Pick<RunListeners, 'onTaken' | 'onQueued'> {
  readonly token: string;
  readonly actor: Actor;
  /** The text of a typed confirmation. */
  readonly typed?: string | undefined;
  /** How many VPS of a batch are changed at a time. */
  readonly atATime?: number | undefined;
  /** Whether a snapshot is taken first. */
  readonly snapshotFirst?: true | undefined;
  /** Why the person wants the change. Replaces the reason of the request. */
  readonly reason?: string | undefined;
  /** When the click arrived. Defaults to now. */
  readonly clickedMs?: number | undefined;
}

/** A decision about a run that awaits approval. */
export interface ApprovalClick {
  readonly runId: string;
  /** The person who decides. They were allowed to when they clicked. */
  readonly approver: Actor;
  /** Whether the clicked card shows an earlier request. */
  readonly isOutdated: boolean;
  /** Returns whether the card was for exactly this run and state. */
  readonly isFor: (run: Run) => boolean;
  /** Why an actor approves their own run. Replaces the reason of the request. */
  readonly reason?: string | undefined;
}

/** A claimed run. Its input can still be invalid. */
export interface ClaimedRun extends RunEnvironment {
  /** A change waits for its checks. A read is active at once. */
  readonly run: WaitingRun | ActiveRun;
  readonly operation: Operation;
  readonly parsed: ParsedInput;
  readonly isUncertain: boolean;
  readonly undoneState?: string | undefined;
  readonly sendByMs: number;
  /**
   * Whether the run has begun to change Rackhand's own data, and whether it still can. It can't once its
   * time is up, although its steps go on.
   */
  readonly localChange: { hasBegun: boolean; canBegin: boolean };
  /** ID of the person who approved the schedule that requests the run. */
  readonly scheduleApproverId?: string | undefined;
}

/** A claimed run with valid input. */
export interface ValidRun extends ClaimedRun {
  readonly parsed: ValidInput;
}

/** A run of a change, with everything needed to confirm, approve and execute it. */
export interface ChangeRun<State extends Run = Run> extends RunEnvironment {
  readonly run: State;
  readonly operation: ChangeOperation;
  readonly parsed: ValidInput;
  /** Time (epoch ms) after which the call isn't sent anymore. */
  readonly sendByMs: number;
  /** ID of the person who approved the run, if that was needed. */
  readonly approverId?: string;
}

/** A change that its actor wants to confirm with this click. */
export interface ConfirmedRun extends ChangeRun<WaitingRun> {
  readonly click: ConfirmationClick;
}

/** A change that an approver wants to approve or decline with this click. */
export interface DecidedRun extends ChangeRun<WaitingRun> {
  readonly click: ApprovalClick;
}
