import type { Actor, Origin } from '../../operations/define/access/actor.ts';
import type { ParsedInput, ValidInput } from '../../operations/define/arguments/input.ts';
import type { ChangeOperation, Operation } from '../../operations/define/operation.ts';
import type { ActiveRun, Run, WaitingRun } from '../run.ts';
import type { RunEnvironment, RunListeners } from './run-environment.ts';

export interface RunRequest extends RunListeners {
  /** Unique to the request. A second request with the same key is a duplicate. */
  readonly requestKey: string;
  readonly operation: Operation;
  readonly parsed: ParsedInput;
  readonly actor: Actor;
  readonly origin: Origin;
  readonly batchId?: string;
  /**
   * Set if the input is only a suggestion, or names something that the service doesn't list. Such names are accepted,
   * and any change needs confirmation.
   */
  readonly isUncertain?: boolean;
  /** Fingerprint of the state after the change that this request undoes. Unset if the request undoes nothing. */
  readonly undoneState?: string | undefined;
  readonly scheduleApproverId?: string | undefined;
  /** When the request arrived (epoch ms). Defaults to now. */
  readonly requestedMs?: number | undefined;
}

/** A change at its scheduled time. Confirmed, and approved if needed, when it was scheduled. */
export interface ScheduledRequest
  extends Pick<RunRequest, 'requestKey' | 'operation' | 'parsed' | 'actor' | 'origin'> {
  /** ID of the person who approved the schedule, if that was needed. */
  readonly scheduleApproverId: string | undefined;
}

export interface ConfirmationClick extends Pick<RunListeners, 'onTaken' | 'onQueued'> {
  readonly token: string;
  readonly actor: Actor;
  readonly typed?: string | undefined;
  /** How many VPS in a batch are changed at a time. */
  readonly atATime?: number | undefined;
  readonly snapshotFirst?: true | undefined;
  /** Why the person wants the change. Replaces the request's reason. */
  readonly reason?: string | undefined;
  /** When the click arrived (epoch ms). Defaults to now. */
  readonly clickedMs?: number | undefined;
}

export interface ApprovalClick {
  readonly runId: string;
  /** The person who decides, whose right to do so was checked at the click. */
  readonly approver: Actor;
  /** Whether the clicked card shows an earlier request. */
  readonly isOutdated: boolean;
  /** Returns whether the card was for exactly this request and state. */
  readonly isFor: (run: Run) => boolean;
  /** Why actors approve their own run. Replaces the request's reason. */
  readonly reason?: string | undefined;
}

/** A claimed run. Its input may still be invalid. */
export interface ClaimedRun extends RunEnvironment {
  /** A change waits for its checks. A read is active at once. */
  readonly run: WaitingRun | ActiveRun;
  readonly operation: Operation;
  readonly parsed: ParsedInput;
  readonly isUncertain: boolean;
  readonly undoneState?: string | undefined;
  readonly sendByMs: number;
  /**
   * Whether the run has begun to change Rackhand's own data, and whether it is still allowed to begin.
   * After the run's time limit, no change can begin, even though the steps continue.
   */
  readonly localChange: { hasBegun: boolean; canBegin: boolean };
  /** ID of the person who approved the schedule that requested the run. */
  readonly scheduleApproverId?: string | undefined;
}

export interface ValidRun extends ClaimedRun {
  readonly parsed: ValidInput;
}

/** A run of a change, with everything needed to confirm, approve and execute it. */
export interface ChangeRun<State extends Run = Run> extends RunEnvironment {
  readonly run: State;
  readonly operation: ChangeOperation;
  readonly parsed: ValidInput;
  /** Time (epoch ms) after which the call is no longer sent. */
  readonly sendByMs: number;
  /** ID of the person who approved the run, if that was needed. */
  readonly approverId?: string;
}

export interface ConfirmedRun extends ChangeRun<WaitingRun> {
  readonly click: ConfirmationClick;
}

export interface DecidedRun extends ChangeRun<WaitingRun> {
  readonly click: ApprovalClick;
}
