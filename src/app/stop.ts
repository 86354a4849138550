import type { Logger } from 'pino';
import type { RateLimiter } from '../hosting/quota/rate-limiter.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Runner } from '../runs/runner.ts';

/** Default of the setting STOP_GRACE_SECONDS. */
const defaultStopGraceSeconds = 25;

/** How long handing over and closing can take after the grace period of a stop. */
const lastStepsMs = 3_000;

/** Returns the grace period of a stop, and the maximum duration of a stop. */
export function findStopTimes({ stopGraceSeconds = defaultStopGraceSeconds }: StopSettings) {
  const graceMs = stopGraceSeconds * 1_000;
  return { graceMs, longestMs: graceMs + lastStepsMs };
}

interface StopSettings {
  readonly stopGraceSeconds?: number | undefined;
}

interface Drainable {
  drained(): Promise<void>;
}

/** The parts that a stop ends, in this order. */
export interface StoppableParts {
  /** Stops accepting requests and deliveries. */
  readonly stopAccepting: () => Promise<unknown>;
  readonly jobs: Pick<Jobs, 'stop'>;
  /** Rejects the calls that wait for the quota. Their runs are handed over. */
  readonly rateLimiter: Pick<RateLimiter, 'close'>;
  /** The requests that were accepted. */
  readonly requests: Drainable;
  readonly uninstaller: Drainable;
  readonly runner: Pick<Runner, 'stop' | 'interrupt' | 'release'>;
  /** Closes connections and files. */
  readonly close: () => Promise<unknown>;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Finishes the current work for at most `graceMs`, hands the rest over to other processes, and
 * closes everything. Takes at most 3 s longer than `graceMs`.
 */
export async function stopWithinGrace(
  { stopAccepting, jobs, rateLimiter, requests, uninstaller, runner, close, log }: StoppableParts,
  graceMs: number,
): Promise<void> {
  const untilGraceEnds = sleep(graceMs);
  const withinGrace = (...work: readonly Promise<unknown>[]) =>
    Promise.race([Promise.all(work), untilGraceEnds]);
  const accepted = stopAccepting();
  const jobsStopped = jobs.stop(graceMs);
  await withinGrace(accepted);
  await withinGrace(rateLimiter.close(), jobsStopped, requests.drained(), uninstaller.drained());
  await withinGrace(runner.stop());
  // Work that still runs after the grace period is handed over too.
  runner.interrupt();
  const untilEnd = sleep(lastStepsMs);
  await Promise.race([Promise.all([requests.drained(), jobsStopped]), untilEnd]);
  const released = runner
    .release()
    .catch((error) => log.error({ err: error }, "the leases of this process couldn't be ended"));
  await Promise.race([released.then(close), untilEnd]);
}

/** Doesn't keep the process alive. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
