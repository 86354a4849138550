import type { Logger } from 'pino';
import { RackhandError } from '../../errors.ts';
import type { Catalogue, OperationContext } from '../../operations/define/operation.ts';
import type { Progress } from '../../operations/define/target-state.ts';
import { createVpsLabeler, toVpsLabels } from '../../operations/format/label-vps.ts';
import type { ChangeRun } from '../pipeline/run-context.ts';
import { readStoredChange, type UnreadableRuns } from '../pipeline/unreadable-runs.ts';
import type { Announce, Run } from '../run.ts';
import type { RunStore } from '../store/run-store.ts';
import type { ProgressPoll, ProgressPollStore } from './progress-poll-store.ts';

/** How long after the call the progress is polled. */
const maxPollMs = 5 * 60_000;

/** A reboot takes some seconds, and each poll needs a call in the background lane. */
const defaultIntervalMs = 5_000;

/** Longer than the interval, because a poll can have to wait for the quota. */
const leaseMs = 2 * 60_000;

interface ProgressPollerDependencies {
  readonly store: ProgressPollStore;
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  /** Creates a context that reads in the background lane. */
  readonly createContext: (run: Run) => OperationContext;
  readonly unreadableRuns: Pick<UnreadableRuns, 'add'>;
  readonly announce: Announce;
  readonly owner: string;
  /** Defaults to 5 s; tests shorten it. */
  readonly intervalMs?: number;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/** The operation and input of a polled run. */
type PolledChange = Pick<ChangeRun, 'operation' | 'parsed'>;

/** A stored poll, with its change once that was read. */
interface PolledWork extends ProgressPoll {
  readonly change?: PolledChange;
}

/** Polls work that continues after its call and updates the run's message, for up to 5 minutes. */
export interface ProgressPoller {
  /** Starts polling a run if its operation reports progress. */
  start(change: PolledChange & { readonly run: Run }): Promise<void>;
  /** Continues polls whose process has ended. */
  adopt(leaseBeforeMs: number): Promise<void>;
  /** Stops polling. The next process continues. */
  stop(): void;
}

const notTrackedNote = 'Rackhand no longer checks its progress.';

export function createProgressPoller(dependencies: ProgressPollerDependencies): ProgressPoller {
  const {
    store,
    runs,
    catalogue,
    createContext,
    unreadableRuns,
    announce,
    owner,
    intervalMs = defaultIntervalMs,
    now,
    log,
  } = dependencies;
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;

  const lease = () => ({ owner, untilMs: now() + leaseMs });

  function schedulePoll(work: PolledWork): void {
    if (isStopped) return;
    const { runId } = work;
    const run = () =>
      poll(work).catch((error) => {
        log.error({ err: error, runId }, 'could not poll the progress of a run');
        schedulePoll(work);
      });
    timers.set(runId, setTimeout(run, intervalMs).unref());
  }

  async function poll({ runId, untilMs, ...work }: PolledWork): Promise<void> {
    timers.delete(runId);
    if (!(await store.renewLease(runId, lease()))) return;
    const run = await runs.find(runId);
    if (!run) return store.remove(runId);
    const change = work.change ?? readPolledChange(run);
    const lastText = run.progress?.text ?? '';
    const progress = change ? await readProgress(run, change, untilMs) : toUnknownProgress(lastText);
    if (progress.text !== run.progress?.text || progress.isFinished) {
      await runs.saveProgress(runId, progress);
      announce({ ...run, progress });
    }
    if (progress.isFinished || !change) return store.remove(runId);
    schedulePoll({ runId, untilMs, change });
  }

  /** Reads the change of a run that another process has started. Returns undefined if it can't be read. */
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
      const current = await operation.readProgress?.(createContext(run), parsed.input);
      if (!current) return toUnknownProgress(lastText);
      progress = { ...current, text: createVpsLabeler(toVpsLabels(run.displayNames))(current.text) };
    } catch (error) {
      if (!(error instanceof RackhandError)) throw error;
      progress = error.isRetryable ? { isFinished: false, text: lastText } : toUnknownProgress(lastText);
    }
    const isLate = now() >= untilMs;
    return progress.isFinished || !isLate ? progress : { ...progress, ...toUnknownProgress(progress.text) };
  }

  return {
    async start({ run, operation, parsed }) {
      if (!operation.readProgress) return;
      const work = { runId: run.id, untilMs: now() + maxPollMs };
      await store.add(work, lease());
      schedulePoll({ ...work, change: { operation, parsed } });
    },

    async adopt(leaseBeforeMs) {
      for (const work of await store.adopt(lease(), leaseBeforeMs)) schedulePoll(work);
    },

    stop() {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Returns the final progress of work whose end wasn't seen. */
function toUnknownProgress(lastText: string): Progress {
  return { isFinished: true, isEndUnknown: true, text: `${lastText} ${notTrackedNote}`.trim() };
}
