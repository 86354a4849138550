import { RackhandError } from '../../errors.ts';
import { HostingError } from '../hosting-error.ts';
import type { WaitReason } from './ledger/ledger.ts';
import { maxTimerDelayMs } from './sleep.ts';

/** A call that waits for a slot and is sent at most once. */
export interface QueuedCall {
  /** Returns whether the call waits for a slot. */
  isWaiting(): boolean;
  /** Records why the call has no slot, for the error at its deadline. */
  setWaitReason(reason: WaitReason): void;
  /** Ends the wait: the call has a slot. Its deadline and its cancellation no longer reject it. */
  stopWaiting(): void;
  /** Waits again, because the slot was lost before the call was sent. */
  resumeWaiting(): void;
  /** Makes the call. Resolves when the call has succeeded, failed or timed out. */
  send(): Promise<void>;
  /** Rejects the call's result. Does nothing if the call was already sent. */
  reject(error: unknown): void;
}

interface QueuedCallOptions {
  readonly notAfterMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly callTimeoutMs: number;
  /** Called right before the call is made. */
  readonly onSend?: () => void;
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

/** Queues a call. `result` settles like the call, or rejects if the call is never sent. */
export function createQueuedCall<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { notAfterMs = Number.POSITIVE_INFINITY, signal, callTimeoutMs, onSend, now }: QueuedCallOptions,
): { queuedCall: QueuedCall; result: Promise<T> } {
  const result = Promise.withResolvers<T>();
  let state: 'waiting' | 'in slot' | 'ended' = 'in slot';
  let waitReason: WaitReason | undefined;
  let deadline: NodeJS.Timeout | undefined;

  function stopWaiting() {
    state = 'in slot';
    clearTimeout(deadline);
    signal?.removeEventListener('abort', cancel);
  }
  function reject(error: unknown) {
    if (state === 'ended') return;
    stopWaiting();
    state = 'ended';
    result.reject(error);
  }
  function expire() {
    const reason = waitReason ? deadlineReasons[waitReason] : 'The deadline has passed.';
    reject(deadlinePassedError(`${reason} Nothing was sent.`));
  }
  function cancel() {
    reject(deadlinePassedError('The request was cancelled before it was sent.', signal?.reason));
  }
  function resumeWaiting() {
    if (signal?.aborted) return cancel();
    if (now() >= notAfterMs) return expire();
    state = 'waiting';
    signal?.addEventListener('abort', cancel);
    if (notAfterMs < Number.POSITIVE_INFINITY) {
      deadline = setTimeout(expire, Math.min(notAfterMs - now(), maxTimerDelayMs));
    }
  }
  resumeWaiting();

  const queuedCall: QueuedCall = {
    isWaiting: () => state === 'waiting' && now() < notAfterMs,
    setWaitReason(reason) {
      waitReason = reason;
    },
    stopWaiting,
    resumeWaiting,
    reject,
    async send() {
      state = 'ended';
      onSend?.();
      const timeout = Promise.withResolvers<never>();
      const timeoutAbort = new AbortController();
      const timer = setTimeout(() => {
        const error = callTimeoutError(callTimeoutMs);
        timeout.reject(error);
        timeoutAbort.abort(error);
      }, callTimeoutMs);
      try {
        const aborted = signal ? AbortSignal.any([signal, timeoutAbort.signal]) : timeoutAbort.signal;
        result.resolve(await Promise.race([call(aborted), timeout.promise]));
      } catch (error) {
        result.reject(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
  return { queuedCall, result: result.promise };
}

function deadlinePassedError(message: string, cause?: unknown): RackhandError {
  return new RackhandError('deadline_passed', message, { cause });
}

export function callTimeoutError(callTimeoutMs: number): HostingError {
  const message = `The hosting service didn't answer within ${callTimeoutMs / 1000} s.`;
  return new HostingError('service_timeout', message, { sendState: 'unknown' });
}
