import type { ChangeRun } from '../run-context.ts';
import type { RunServices } from '../run-services.ts';

/** Starts to poll the work that continues after a call. If that isn't possible, nobody follows it. */
export async function followProgress(
  change: ChangeRun,
  { progressPoller, withRetry, log }: Pick<RunServices, 'progressPoller' | 'withRetry' | 'log'>,
): Promise<void> {
  const runId = change.run.id;
  const failure = 'could not start polling the progress of a run';
  try {
    await withRetry(() => progressPoller.start(change), { runId, failure });
  } catch (error) {
    log.error({ err: error, runId }, failure);
  }
}
