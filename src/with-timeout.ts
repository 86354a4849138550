import { RackhandError } from './errors.ts';

/**
 * Returns the result of `work`, or of `onTimeout` after `timeoutMs`. By default, a timeout throws
 * `deadline_passed`. The work itself isn't stopped, and its late result or error is ignored.
 */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  onTimeout: () => T = throwDeadlinePassed,
): Promise<T> {
  const { promise: timeout, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs).unref();
  try {
    // The results are wrapped, so that `onTimeout` runs only after a timeout.
    const first = await Promise.race([work.then((result) => ({ result })), timeout]);
    return first ? first.result : onTimeout();
  } finally {
    clearTimeout(timer);
  }
}

function throwDeadlinePassed(): never {
  throw new RackhandError('deadline_passed', 'The work took too long.');
}
