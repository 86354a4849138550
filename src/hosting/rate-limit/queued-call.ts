import { RackhandError } from '../../errors.ts';
import { HostingError } from '../hosting-error.ts';
import { maxTimerDelayMs } from './sleep.ts';

/** A call that waits for a slot and is sent at most once. */
export interface QueuedCall {
  /** Returns whether the call can still be sent. */
  isWaiting(): boolean;
  /** Makes the call. Resolves when the call has succeeded, failed or timed out. */
  send(): Promise<void>;
  /** Rejects the call's result and prevents sending. Does nothing if the call was already sent. */
  reject(error: unknown): void;
}

interface QueuedCallOptions {
  readonly notAfterMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly callTimeoutMs: number;
  readonly now: () => number;
}

/** Queues a call. `result` settles like the call, or rejects if the call is never sent. */
export function createQueuedCall<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { notAfterMs = Number.POSITIVE_INFINITY, signal, callTimeoutMs, now }: QueuedCallOptions,
): { queuedCall: QueuedCall; result: Promise<T> } {
  const result = Promise.withResolvers<T>();
  let waiting = true;
  let deadline: NodeJS.Timeout | undefined;

  function stopWaiting() {
    waiting = false;
    clearTimeout(deadline);
    signal?.removeEventListener('abort', cancel);
  }
  function reject(error: unknown) {
    if (!waiting) return;
    stopWaiting();
    result.reject(error);
  }
  function expire() {
    reject(deadlinePassedError('The request quota was used up until the deadline. Nothing was sent.'));
  }
  function cancel() {
    reject(deadlinePassedError('The request was cancelled before it was sent.', signal?.reason));
  }

  if (signal?.aborted) cancel();
  else if (now() >= notAfterMs) expire();
  else {
    signal?.addEventListener('abort', cancel);
    if (notAfterMs < Number.POSITIVE_INFINITY) {
      deadline = setTimeout(expire, Math.min(notAfterMs - now(), maxTimerDelayMs));
    }
  }

  const queuedCall: QueuedCall = {
    isWaiting: () => waiting && now() < notAfterMs,
    reject,
    async send() {
      stopWaiting();
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

function callTimeoutError(callTimeoutMs: number): HostingError {
  const message = `The hosting service didn't answer within ${callTimeoutMs / 1000} s.`;
  return new HostingError('service_timeout', message, { sendState: 'unknown' });
}
