import { isUnreadableRow } from '../../db/row-reader.ts';
import { isStopped, RackhandError } from '../../errors.ts';
import { toProblem } from '../../runs/problem.ts';
import { describeProblem } from './request-run.ts';

/** Returns why reading failed. Throws the error if a retry can help, unless it is late. */
export function describeReadFailure(error: unknown, isLate: boolean): string {
  if (isStopped(error) || (!isFinal(error) && !isLate)) throw error;
  return describeProblem(toProblem(error, { isChanging: false }));
}

/** Returns whether a call can't succeed later either. A newer version may be able to read a stored row. */
function isFinal(error: unknown): boolean {
  return error instanceof RackhandError && !error.isRetryable && !isUnreadableRow(error);
}
