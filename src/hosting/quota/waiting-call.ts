import { RackhandError } from '../../errors.ts';
import type { Lane } from './lanes.ts';
import type { BlockReason, Slot } from './slots.ts';

/**
 * Why a call has to wait. `quota`, `lane` and `caller`: all slots of the key, of the background lane, or of
 * one person or report are in use.
 */
export type WaitReason = BlockReason | 'quota' | 'lane' | 'caller';

/** Called with an estimated wait in ms and its reason. */
export type OnQueued = (waitMs: number, reason: WaitReason) => void;

/** When a call asked for the slot that it got: on the clock that never jumps, and on the machine's. */
export interface GrantedSlot {
  readonly slot: Slot;
  readonly askedAt: { readonly clockMs: number; readonly machineMs: number };
}

/** A call that waits for a slot until its deadline. */
export interface WaitingCall {
  readonly lane: Lane;
  readonly caller: string;
  readonly onQueued: OnQueued | undefined;
  /** Resolves to the slot, or rejects with `deadline_passed` or the error of `reject`. */
  readonly granted: Promise<GrantedSlot>;
  /** Resolves when the call no longer waits. */
  readonly ended: Promise<void>;
  isWaiting(): boolean;
  grant(granted: GrantedSlot): void;
  reject(error: unknown): void;
}

/** The error messages of calls that weren't sent before their deadline, by the reason. */
const deadlineReasons: Readonly<Record<WaitReason, string>> = {
  quota: 'No request quota was free before the deadline.',
  caller: 'Your share of the request quota was used up until the deadline.',
  lane: 'No quota for background requests was free before the deadline.',
  pause: 'The hosting service asked Rackhand to wait until after the deadline.',
  unknown: "Rackhand couldn't tell before the deadline how much of the request quota was used.",
  unreachable: "Rackhand couldn't reach its database, where it counts its requests, before the deadline.",
};

/** Longest delay of a timer. Longer ones fire immediately. */
export const maxTimerDelayMs = 2 ** 31 - 1;

/** `findReason` is asked at the deadline. When `signal` aborts, the call is rejected with its reason. */
export function createWaitingCall({
  lane,
  caller,
  onQueued,
  notAfterMs = Number.POSITIVE_INFINITY,
  signal,
  now,
  findReason,
}: Pick<WaitingCall, 'lane' | 'caller' | 'onQueued'> & {
  readonly notAfterMs: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
  readonly findReason: (call: WaitingCall) => WaitReason;
}): WaitingCall {
  const { promise: granted, resolve, reject: rejectGranted } = Promise.withResolvers<GrantedSlot>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let hasEnded = false;
  let deadline: NodeJS.Timeout | undefined;
  const abort = () => call.reject(signal?.reason);

  /** Returns false if the call has already ended. */
  function stopWaiting(): boolean {
    if (hasEnded) return false;
    hasEnded = true;
    clearTimeout(deadline);
    signal?.removeEventListener('abort', abort);
    end();
    return true;
  }
  const call: WaitingCall = {
    lane,
    caller,
    onQueued,
    granted,
    ended,
    isWaiting: () => !hasEnded && now() < notAfterMs,
    grant: (slot) => void (stopWaiting() && resolve(slot)),
    reject: (error) => void (stopWaiting() && rejectGranted(error)),
  };
  const expire = () => call.reject(deadlinePassedError(deadlineReasons[findReason(call)]));
  if (now() >= notAfterMs) call.reject(deadlinePassedError('The deadline has passed.'));
  else if (notAfterMs < Number.POSITIVE_INFINITY)
    deadline = setTimeout(expire, Math.min(notAfterMs - now(), maxTimerDelayMs));
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  return call;
}

/** `reason`: a sentence. */
export function deadlinePassedError(reason: string): RackhandError {
  return new RackhandError('deadline_passed', `${reason} Nothing was sent.`);
}
