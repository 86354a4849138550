import type { Logger } from 'pino';
import { isUnreadableRow } from '../db/row-reader.ts';
import { type Clock, waitFor } from './clock.ts';
import { type JobKind, type JobResult, parsePayload, retryDelayMs } from './job-kind.ts';
import type { ClaimedJob, JobStore } from './job-store.ts';

/** How long a job that can't run is set aside. A newer version may be able to run it. */
const setAsideMs = 60 * 60_000;

/** How often, and at which intervals, saving a result is retried. */
const maxSaveAttempts = 30;
const saveRetryMs = 1_000;

/** One attempt at a job by this process. */
export interface Attempt {
  readonly job: ClaimedJob;
  /** Abandons the attempt, because another process has claimed the job or it was scheduled again. */
  abandon(): void;
  /**
   * Resolves when the attempt has ended: to the time when the job can be claimed next, if known.
   */
  readonly ended: Promise<number | undefined>;
}

interface AttemptDependencies {
  readonly store: JobStore;
  readonly clock: Clock;
  /** Aborts when this process stops. */
  readonly stopping: AbortSignal;
  readonly onRetry: () => void;
  readonly onSetAside: () => void;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Runs a job, and saves how it ended. */
export function startAttempt<Payload>(
  dependencies: AttemptDependencies,
  kind: JobKind<Payload>,
  job: ClaimedJob,
): Attempt {
  const { store, clock, stopping, onRetry, onSetAside, log } = dependencies;
  const names = { job: job.kind, jobId: job.id };
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);

  async function setAside(reason: string): Promise<undefined> {
    log.error({ ...names, reason }, 'a job was set aside for an hour');
    onSetAside();
    await store.setAside(job, reason, setAsideMs);
  }

  async function handle(payload: Payload): Promise<JobResult<Payload> | 'interrupted' | 'unreadable'> {
    try {
      return await kind.handle({ ...job, payload }, { signal, clock });
    } catch (error) {
      if (signal.aborted) return 'interrupted';
      if (isUnreadableRow(error)) return 'unreadable';
      log.error({ err: error, ...names }, 'a job failed and will be retried');
      return { kind: 'retry', atMs: clock.now() + retryDelayMs(kind, job.attempt) };
    }
  }

  async function save(result: JobResult<Payload>): Promise<number | undefined> {
    const { attempt } = job;
    switch (result.kind) {
      case 'done':
        return (await store.finish(job)) ? clock.now() : undefined;
      case 'repeat': {
        const payload = result.payload === undefined ? undefined : JSON.stringify(result.payload);
        return store.reschedule(job, { atMs: result.atMs, attempts: 0, payload });
      }
      case 'wait':
        return store.reschedule(job, { atMs: result.atMs, attempts: attempt - 1 });
      case 'retry':
        onRetry();
        return store.reschedule(job, { atMs: result.atMs, attempts: result.attempts ?? attempt });
    }
  }

  /** Retries during a short outage of the database, also while this process stops. */
  async function saveWithRetry(result: JobResult<Payload>): Promise<number | undefined> {
    for (let left = maxSaveAttempts; ; left -= 1) {
      try {
        return await save(result);
      } catch (error) {
        if (left === 0) throw error;
        if (left === maxSaveAttempts) log.warn({ err: error, ...names }, "can't save how a job ended yet");
        await waitFor(clock, saveRetryMs, lost.signal);
      }
    }
  }

  async function run(): Promise<number | undefined> {
    const payload = parsePayload(kind, job.payload);
    if (payload === undefined) return setAside('unreadable payload');
    const result = await handle(payload.value);
    if (lost.signal.aborted) return undefined;
    if (result === 'unreadable') return setAside('unreadable row');
    if (result !== 'interrupted') return saveWithRetry(result);
    await store.release([job]);
    return undefined;
  }

  return {
    job,
    abandon: () => lost.abort(new Error('the job was scheduled again, or another process has claimed it')),
    ended: run().catch((error: unknown) => {
      if (!lost.signal.aborted) log.error({ err: error, ...names }, "can't save how a job ended");
      return undefined;
    }),
  };
}
