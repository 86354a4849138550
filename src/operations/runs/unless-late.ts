import { RackhandError } from '../../error.ts';

/** Gives what a piece of work gives, or throws `deadline_passed` when it takes longer. The work itself goes on, unheard. */
export async function unlessLate<T>(work: Promise<T>, withinMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new RackhandError('deadline_passed', 'It took too long.')), withinMs);
  timer.unref();
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
