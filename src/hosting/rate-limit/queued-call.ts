import { RackhandError } from '../../errors.ts';
import type { Slot, WaitReason } from './ledger/ledger.ts';
import { maxTimerDelayMs } from './sleep.ts';

/** A slot that a call got. `atMs`: the time from which it counts, on the clock that never jumps. */
export interface GrantedSlot {
  readonly slot: Slot;
  readonly atMs: number;
}

/** A call that waits for a slot until its deadline. */
export interface QueuedCall {
  /**
   * Begins to wait. Resolves to the slot, or rejects with `deadline_passed` or the error of `reject`.
   * A call that lost its slot before it was sent waits again.
   */
  wait(): Promise<GrantedSlot>;
  isWaiting(): boolean;
  /** Records why the call has no slot, for the error at its deadline. */
  setWaitReason(reason: WaitReason): void;
  /** Ends the wait with a slot. */
  grant(granted: GrantedSlot): void;
  /** Ends the wait with an error. Does nothing if the call doesn't wait. */
  reject(error: unknown): void;
}

interface QueuedCallOptions {
  readonly notAfterMs?: number | undefined;
  readonly now: () => number;
}

/** The error messages of calls that weren't sent before their deadline, by the reason. */
const deadlineReasons: Readonly<Record<WaitReason, string>> = {
  quota: 'No request quota was free before the deadline.',
  line: 'None of your share of the request quota was free before the deadline.',
  lane: 'No quota for background requests was free before the deadline.',
  people: 'Requests by people went first, and the deadline passed.',
  pause: 'The hosting service asked Rackhand to wait until after the deadline.',
  unknown: "Rackhand couldn't tell before the deadline how much of the request quota was used.",
  unreachable: "Rackhand couldn't reach Redis, where it counts its requests, before the deadline.",
};

export function createQueuedCall({
  notAfterMs = Number.POSITIVE_INFINITY,
  now,
}: QueuedCallOptions): QueuedCall {
  let waiting: PromiseWithResolvers<GrantedSlot> | undefined;
  let waitReason: WaitReason | undefined;
  let deadline: NodeJS.Timeout | undefined;

  function stopWaiting() {
    clearTimeout(deadline);
    const stopped = waiting;
    waiting = undefined;
    return stopped;
  }
  const reject = (error: unknown) => stopWaiting()?.reject(error);
  function expire() {
    const reason = waitReason ? deadlineReasons[waitReason] : 'The deadline has passed.';
    reject(deadlinePassedError(`${reason} Nothing was sent.`));
  }

  return {
    wait() {
      waiting = Promise.withResolvers();
      const { promise } = waiting;
      if (now() >= notAfterMs) expire();
      else if (notAfterMs < Number.POSITIVE_INFINITY)
        deadline = setTimeout(expire, Math.min(notAfterMs - now(), maxTimerDelayMs));
      return promise;
    },
    isWaiting: () => waiting !== undefined && now() < notAfterMs,
    setWaitReason(reason) {
      waitReason = reason;
    },
    grant: (granted) => stopWaiting()?.resolve(granted),
    reject,
  };
}

export function deadlinePassedError(message: string): RackhandError {
  return new RackhandError('deadline_passed', message);
}
