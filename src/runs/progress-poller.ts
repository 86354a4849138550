import type { Logger } from 'pino';
import { z } from 'zod';
import { isStopped, RackhandError } from '../errors.ts';
import type { Job, JobContext, JobResult } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Catalogue, OperationContext } from '../operations/define/operation.ts';
import type { Progress } from '../operations/define/target-state.ts';
import { createVpsLabeler, toVpsLabels } from '../operations/format/label-vps.ts';
import type { ChangeRun } from './pipeline/run-context.ts';
import { readStoredChange, type UnreadableRuns } from './pipeline/unreadable-runs.ts';
import type { Run } from './run.ts';
import type { RunStore } from './store/run-store.ts';
import type { WithRetry } from './with-retry.ts';

/** How long progress is polled after the call. A snapshot can take an hour. */
export const maxPollMs = 2 * 60 * 60_000;

/** How long unfinished progress counts as running. By then, polling has ended. */
export const maxProgressMs = maxPollMs + 30 * 60_000;

/** Minimum pause between polls. A reboot takes several seconds, and each poll needs a call in the background lane. */
const defaultIntervalMs = 5_000;

/**
 * Pause between polls, as a fraction of the time that the work has taken so far. Long-running work is
 * polled less often.
 */
const intervalShare = 0.1;

/** Maximum wait for a poll, longer than any pause between polls. A batch waits for its parts' polls. */
const maxWaitMs = 2 * maxPollMs * intervalShare;

/** How soon a failed poll is retried. */
const retry = { firstMs: 5_000, maxMs: 60_000 };

/** Maximum number of concurrent polls. High, because polls count as running while they wait for the quota. */
const concurrency = 500;

const jobName = 'run-progress';

const payload = z.object({ untilMs: z.number() });
type Payload = z.infer<typeof payload>;

interface ProgressPollerDependencies {
  readonly jobs: Pick<Jobs, 'define' | 'clock'>;
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  /** Creates a context that reads in the background lane. */
  readonly createContext: (run: Run) => OperationContext;
  readonly unreadableRuns: Pick<UnreadableRuns, 'add'>;
  readonly withRetry: WithRetry;
  readonly log: Pick<Logger, 'error'>;
  /** Defaults to 5 s; tests shorten it. */
  readonly intervalMs?: number;
}

type PolledChange = Pick<ChangeRun, 'operation' | 'parsed'>;

/** Polls work that continues after its call and updates the run's message, for up to 2 hours. */
export interface ProgressPoller {
  /** Starts polling a run if its operation reports progress. A failure is only logged. */
  start(change: PolledChange & { readonly run: Run }): Promise<void>;
}

const notTrackedNote = 'Rackhand no longer checks the progress.';

/** Creates the progress poller. Each polled run is a job. */
export function createProgressPoller({
  jobs,
  runs,
  catalogue,
  createContext,
  unreadableRuns,
  withRetry,
  log,
  intervalMs = defaultIntervalMs,
}: ProgressPollerDependencies): ProgressPoller {
  const now = jobs.clock.now;
  /** Changes executed by this process, cached so their input isn't parsed again for each poll. */
  const changes = new Map<string, PolledChange & Payload>();

  async function poll(
    { id: runId, payload: { untilMs }, token }: Job<Payload>,
    { signal }: JobContext,
  ): Promise<JobResult<Payload>> {
    const run = await runs.find(runId);
    if (!run || run.status === 'waiting') return { kind: 'done' };
    // Until the run has settled, its message wouldn't show the progress.
    if (run.settledMs === null && now() < untilMs) return { kind: 'repeat', atMs: now() + intervalMs };
    const change = changes.get(runId) ?? readPolledChange(run);
    const lastText = run.progress?.text ?? '';
    const progress = change ? await readProgress(run, change, untilMs) : toUnknownProgress(lastText);
    signal.throwIfAborted();
    if (progress.text !== run.progress?.text || progress.isFinished) {
      if (!(await runs.saveProgress(runId, progress, { kind: jobName, token }))) return { kind: 'done' };
    }
    if (!progress.isFinished) {
      const elapsedMs = now() - (untilMs - maxPollMs);
      return { kind: 'repeat', atMs: now() + Math.max(intervalMs, elapsedMs * intervalShare) };
    }
    changes.delete(runId);
    return { kind: 'done' };
  }

  /** Reads the change of a run that another process started. Returns undefined if it can't be read. */
  function readPolledChange(run: Run): PolledChange | undefined {
    const stored = readStoredChange(run, catalogue);
    if (stored.kind === 'readable') return stored;
    unreadableRuns.add(run, stored.reason);
    return undefined;
  }

  /** Reads the progress once. After a retryable error, keeps the previous text. */
  async function readProgress(
    run: Run,
    { operation, parsed }: PolledChange,
    untilMs: number,
  ): Promise<Progress> {
    const lastText = run.progress?.text ?? '';
    let progress: Progress;
    try {
      const current = await operation.readProgress?.(createContext(run), parsed.input, untilMs - maxPollMs);
      if (!current) return toUnknownProgress(lastText);
      progress = { ...current, text: createVpsLabeler(toVpsLabels(run.displayNames))(current.text) };
    } catch (error) {
      // Another process continues polling.
      if (!(error instanceof RackhandError) || isStopped(error)) throw error;
      progress = error.isRetryable ? { isFinished: false, text: lastText } : toUnknownProgress(lastText);
    }
    const isLate = now() >= untilMs;
    if (progress.isFinished) return { ...progress, ...(progress.isEndUnknown ? {} : { endedMs: now() }) };
    return isLate ? { ...progress, ...toUnknownProgress(progress.text) } : progress;
  }

  const queue = jobs.define<Payload>({
    name: jobName,
    payload,
    retry,
    concurrency,
    maxWaitMs,
    handle: poll,
  });

  return {
    async start({ run, operation, parsed }) {
      if (!operation.readProgress) return;
      const untilMs = now() + maxPollMs;
      for (const [runId, change] of changes) if (change.untilMs < now()) changes.delete(runId);
      changes.set(run.id, { operation, parsed, untilMs });
      const { id, actor } = run;
      const schedule = () =>
        queue.schedule({ id, ...actor, payload: { untilMs }, dueMs: now() + intervalMs });
      const failure = 'could not start polling the progress of a run';
      await withRetry(schedule, { runId: id, failure }).catch((error) =>
        log.error({ err: error, runId: id }, failure),
      );
    },
  };
}

function toUnknownProgress(lastText: string): Progress {
  return { isFinished: true, isEndUnknown: true, text: `${lastText} ${notTrackedNote}`.trim() };
}
