import { RackhandError } from '../../error.ts';
import { HostingError } from '../hosting-error.ts';
import { longestDelayMs } from './sleep.ts';

/** A call that waits for its slot, and leaves at most once. */
export interface Ticket {
  /** Whether the call may still leave. */
  isWaiting(): boolean;
  /** Makes the call; resolves when it was answered, has failed, or has taken too long. */
  leave(): Promise<void>;
  /** Rejects the caller of a call that has not left; it never will. */
  refuse(error: unknown): void;
}

interface TicketOptions {
  readonly notAfterMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly callTimeoutMs: number;
  readonly now: () => number;
}

/** Creates the ticket of a call, and what its caller waits for: the call's own answer, or why there is none. */
export function createTicket<T>(
  call: (signal: AbortSignal) => Promise<T>,
  { notAfterMs = Number.POSITIVE_INFINITY, signal, callTimeoutMs, now }: TicketOptions,
): { ticket: Ticket; answer: Promise<T> } {
  const answer = Promise.withResolvers<T>();
  let waiting = true;
  let deadline: NodeJS.Timeout | undefined;

  function stopWaiting() {
    waiting = false;
    clearTimeout(deadline);
    signal?.removeEventListener('abort', withdraw);
  }
  function refuse(error: unknown) {
    if (!waiting) return;
    stopWaiting();
    answer.reject(error);
  }
  function expire() {
    refuse(tooLate('No slot of the quota came free in time, so the call was not sent.'));
  }
  function withdraw() {
    refuse(tooLate('The call was withdrawn before it was sent.', signal?.reason));
  }

  if (signal?.aborted) withdraw();
  else if (now() >= notAfterMs) expire();
  else {
    signal?.addEventListener('abort', withdraw);
    if (notAfterMs < Number.POSITIVE_INFINITY) {
      deadline = setTimeout(expire, Math.min(notAfterMs - now(), longestDelayMs));
    }
  }

  const ticket: Ticket = {
    isWaiting: () => waiting && now() < notAfterMs,
    refuse,
    async leave() {
      stopWaiting();
      const overdue = Promise.withResolvers<never>();
      const cutOff = new AbortController();
      const timer = setTimeout(() => {
        const error = cutOffError(callTimeoutMs);
        overdue.reject(error);
        cutOff.abort(error);
      }, callTimeoutMs);
      try {
        const aborted = signal ? AbortSignal.any([signal, cutOff.signal]) : cutOff.signal;
        answer.resolve(await Promise.race([call(aborted), overdue.promise]));
      } catch (error) {
        answer.reject(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
  return { ticket, answer: answer.promise };
}

function tooLate(message: string, cause?: unknown): RackhandError {
  return new RackhandError('deadline_passed', message, { cause });
}

function cutOffError(callTimeoutMs: number): HostingError {
  const message = `The hosting service did not answer within ${callTimeoutMs / 1000} s.`;
  return new HostingError('service_timeout', message, { fate: 'unknown' });
}
