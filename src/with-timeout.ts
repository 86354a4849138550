import { RackhandError } from './errors.ts';

/**
 * Returns the result of `work`, or of `onTimeout` after `timeoutMs`. By default, a timeout throws `deadline_passed`.
 * The work itself continues, and its late result or error is ignored.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  onTimeout: () => T = throwDeadlinePassed,
): Promise<T> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs).unref();
  try {
    // Results are wrapped, so `onTimeout` runs only after a timeout.
    const first = await Promise.race([work.then((result) => ({ result })), timeout]);
    return first ? first.result : onTimeout();
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns a signal that aborts after `timeoutMs` with a `TimeoutError`. Unlike with `AbortSignal.timeout`, the timer
 * can be cancelled, so a finished request leaves nothing behind.
 */
export function abortAfter(timeoutMs: number): { readonly signal: AbortSignal; cancel(): void } {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DOMException('The request took too long.', 'TimeoutError')),
    timeoutMs,
  ).unref();
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
}

function throwDeadlinePassed(): never {
  throw new RackhandError('deadline_passed', 'The work took too long.');
}
