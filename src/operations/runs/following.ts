import type { Logger } from 'pino';
import { RackhandError } from '../../error.ts';
import type { Catalogue } from '../catalogue.ts';
import { parseInput } from '../input.ts';
import type { OperationContext, Progress } from '../operation.ts';
import type { FollowingStore } from './following-store.ts';
import type { Announce, Run } from './run.ts';
import type { RunStore } from './run-store.ts';

/** How long work is followed that goes on after its call. */
const followMs = 5 * 60_000;

/** Pause between two looks: a reboot takes some seconds, and every look is a call of the background lane. */
const defaultPauseMs = 5_000;

/** How long a process is taken to follow a run after its last look, which may have waited for the quota. */
const leaseMs = 2 * 60_000;

interface FollowingParts {
  readonly store: FollowingStore;
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  /** Gives what reads in the background lane. */
  readonly contextFor: (run: Run) => OperationContext;
  readonly announce: Announce;
  readonly owner: string;
  /** Default 5 s; tests shorten it. */
  readonly pauseMs?: number;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/** Looks after work that goes on after its call, and tells of it in the run's message, until it is over or five minutes have passed. */
export interface Following {
  /** Follows a run that is done, if there is anything to follow. */
  begin(run: Run): Promise<void>;
  /** Takes up what a process that is gone has followed. */
  adopt(leaseBeforeMs: number): Promise<void>;
  /** Looks no more; the next process goes on. */
  stop(): void;
}

const notFollowed = 'It is no longer followed here.';

/** Creates what follows runs. */
export function createFollowing(parts: FollowingParts): Following {
  const { store, runs, catalogue, contextFor, announce, owner, pauseMs = defaultPauseMs, now, log } = parts;
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;

  const lease = () => ({ owner, untilMs: now() + leaseMs });

  function lookLater(runId: string, untilMs: number): void {
    if (isStopped) return;
    const look = () =>
      lookAt(runId, untilMs).catch((error) => {
        log.error({ err: error, runId }, 'work that goes on could not be followed');
        lookLater(runId, untilMs);
      });
    timers.set(runId, setTimeout(look, pauseMs).unref());
  }

  async function lookAt(runId: string, untilMs: number): Promise<void> {
    timers.delete(runId);
    if (!(await store.extend(runId, lease()))) return;
    const run = await runs.find(runId);
    const progress = run && (await progressOf(run, untilMs));
    if (!run || !progress) return store.remove(runId);
    if (progress.words !== run.progress?.words || progress.isOver) {
      await runs.keepProgress(runId, progress);
      announce({ ...run, progress });
    }
    if (progress.isOver) return store.remove(runId);
    lookLater(runId, untilMs);
  }

  /** Looks once. What cannot be read just now may be read the next time. */
  async function progressOf(run: Run, untilMs: number): Promise<Progress | undefined> {
    const operation = catalogue.find(run.operation);
    const parsed = operation && parseInput(operation, run.input);
    if (operation?.kind !== 'change' || !operation.follow || !parsed?.ok) return undefined;
    const last = run.progress?.words ?? '';
    let progress: Progress;
    try {
      progress = await operation.follow(contextFor(run), parsed.input);
    } catch (error) {
      if (!(error instanceof RackhandError)) throw error;
      progress = error.retryable ? { isOver: false, words: last } : unseen(last);
    }
    const isLate = now() >= untilMs;
    return progress.isOver || !isLate ? progress : { ...progress, ...unseen(progress.words) };
  }

  return {
    async begin(run) {
      const operation = catalogue.find(run.operation);
      if (operation?.kind !== 'change' || !operation.follow) return;
      const untilMs = now() + followMs;
      await store.add({ runId: run.id, untilMs }, lease());
      lookLater(run.id, untilMs);
    },

    async adopt(leaseBeforeMs) {
      for (const { runId, untilMs } of await store.adopt(lease(), leaseBeforeMs)) lookLater(runId, untilMs);
    },

    stop() {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

/** Gives up on work whose end nobody has seen. */
function unseen(lastWords: string): Progress {
  return { isOver: true, isUnseen: true, words: `${lastWords} ${notFollowed}`.trim() };
}
