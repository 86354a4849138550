import type { Logger } from 'pino';
import type { AppSettings } from '../config.ts';
import type { RateLimiter } from '../hosting/quota/rate-limiter.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Runner } from '../runs/runner.ts';

export function toStopGraceMs({ stopGraceSeconds = 5 }: Pick<AppSettings, 'stopGraceSeconds'>): number {
  return stopGraceSeconds * 1_000;
}

/** Part of the grace period that is reserved for telling people and closing everything. */
const lastStepsMs = 1_000;

export interface StoppableParts {
  readonly stopAccepting: () => Promise<unknown>;
  readonly jobs: Pick<Jobs, 'stop'>;
  /** `close` rejects the calls that wait for the quota. */
  readonly rateLimiter: Pick<RateLimiter, 'close'>;
  /** Accepted requests. `interrupt` tells the people who made them to try again. */
  readonly requests: { drained(): Promise<void>; interrupt(): Promise<void> };
  readonly uninstaller: { drained(): Promise<void> };
  readonly runner: Pick<Runner, 'stop' | 'release'>;
  readonly close: () => Promise<unknown>;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Finishes the current work, leaves the rest to the next process, and closes everything. Takes at most `graceMs`, and
 * then abandons any call that the service or Slack hasn't answered.
 */
export async function stopWithinGrace(
  { stopAccepting, jobs, rateLimiter, requests, uninstaller, runner, close, log }: StoppableParts,
  graceMs: number,
): Promise<void> {
  const workMs = Math.max(0, graceMs - lastStepsMs);
  const [untilLastSteps, untilEnd] = [sleep(workMs), sleep(graceMs)];
  const accepted = stopAccepting();
  const jobsStopped = jobs.stop(workMs);
  const logFailure = (results: readonly PromiseSettledResult<unknown>[]) => {
    for (const result of results)
      if (result.status === 'rejected') log.error({ err: result.reason }, 'a step of the stop failed');
  };
  const finished = Promise.allSettled([
    rateLimiter.close(),
    jobsStopped,
    uninstaller.drained(),
    accepted.then(requests.drained).then(runner.stop),
  ]).then(logFailure);
  await Promise.race([finished, untilLastSteps]);
  const left = Promise.allSettled([requests.interrupt(), runner.release(), jobsStopped]).then(logFailure);
  await Promise.race([left.then(close), untilEnd]);
}

/** Waits without keeping the process alive. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
