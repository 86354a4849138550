import type { Logger } from 'pino';
import { RackhandError } from '../../errors.ts';
import { parseInput } from '../../operations/define/input.ts';
import type { Catalogue, OperationContext } from '../../operations/define/operation.ts';
import type { Progress } from '../../operations/define/target-state.ts';
import { createLabelVps } from '../../operations/format/label-vps.ts';
import type { Announce, Run } from '../run.ts';
import type { RunStore } from '../store/run-store.ts';
import type { ProgressPollStore } from './progress-poll-store.ts';

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
  readonly announce: Announce;
  readonly owner: string;
  /** Defaults to 5 s; tests shorten it. */
  readonly intervalMs?: number;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/** Polls work that continues after its call and updates the run's message, for up to 5 minutes. */
export interface ProgressPoller {
  /** Starts polling a run if its operation reports progress. */
  start(run: Run): Promise<void>;
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
    announce,
    owner,
    intervalMs = defaultIntervalMs,
    now,
    log,
  } = dependencies;
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;

  const lease = () => ({ owner, untilMs: now() + leaseMs });

  function schedulePoll(runId: string, untilMs: number): void {
    if (isStopped) return;
    const run = () =>
      poll(runId, untilMs).catch((error) => {
        log.error({ err: error, runId }, 'could not poll the progress of a run');
        schedulePoll(runId, untilMs);
      });
    timers.set(runId, setTimeout(run, intervalMs).unref());
  }

  async function poll(runId: string, untilMs: number): Promise<void> {
    timers.delete(runId);
    if (!(await store.renewLease(runId, lease()))) return;
    const run = await runs.find(runId);
    const progress = run && (await readProgress(run, untilMs));
    if (!run || !progress) return store.remove(runId);
    if (progress.text !== run.progress?.text || progress.isFinished) {
      await runs.saveProgress(runId, progress);
      announce({ ...run, progress });
    }
    if (progress.isFinished) return store.remove(runId);
    schedulePoll(runId, untilMs);
  }

  /** Reads the progress once. After a retryable error, keeps the previous text. */
  async function readProgress(run: Run, untilMs: number): Promise<Progress | undefined> {
    const operation = catalogue.find(run.operation);
    const parsed = operation && parseInput(operation, run.input);
    if (operation?.kind !== 'change' || !operation.readProgress || parsed?.kind !== 'valid') return undefined;
    const lastText = run.progress?.text ?? '';
    let progress: Progress;
    try {
      const current = await operation.readProgress(createContext(run), parsed.input);
      progress = { ...current, text: createLabelVps(run.displayNames)(current.text) };
    } catch (error) {
      if (!(error instanceof RackhandError)) throw error;
      progress = error.isRetryable ? { isFinished: false, text: lastText } : toUnknownProgress(lastText);
    }
    const isLate = now() >= untilMs;
    return progress.isFinished || !isLate ? progress : { ...progress, ...toUnknownProgress(progress.text) };
  }

  return {
    async start(run) {
      const operation = catalogue.find(run.operation);
      if (operation?.kind !== 'change' || !operation.readProgress) return;
      const untilMs = now() + maxPollMs;
      await store.add({ runId: run.id, untilMs }, lease());
      schedulePoll(run.id, untilMs);
    },

    async adopt(leaseBeforeMs) {
      for (const { runId, untilMs } of await store.adopt(lease(), leaseBeforeMs))
        schedulePoll(runId, untilMs);
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
