import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { JobKind, JobQueue, NewJob } from '../../../jobs/job-kind.ts';
import type { Jobs } from '../../../jobs/jobs.ts';
import { cycleIntervalMs } from './evaluation-rate.ts';

const evaluationCycle = z.object({
  /** The last VPS read. The next cycle continues after it. */
  lastVps: z.string().nullable(),
  /** How often each VPS is read, in ms; `null` if unknown. */
  intervalMs: z.number().nullable(),
  calls: z.number(),
});

export type EvaluationCycle = z.infer<typeof evaluationCycle>;

interface EvaluationJobDependencies {
  readonly jobs: Pick<Jobs, 'clock' | 'define'>;
  /** Returns false if the workspace is suspended. */
  readonly isActive: (teamId: string) => Promise<boolean>;
  readonly hasActiveWatches: (teamId: string) => Promise<boolean>;
  /** Lists the workspaces with an active watch but no job of this kind. */
  readonly listTeamsWithoutJob: (jobKind: string) => Promise<readonly string[]>;
  /** Runs a cycle. The signal aborts when this process stops or loses the lease. */
  readonly evaluate: (
    teamId: string,
    lastVps: string | null,
    signal: AbortSignal,
  ) => Promise<EvaluationCycle>;
  readonly log: Pick<Logger, 'error'>;
}

/** Evaluates each workspace's watches once a minute, on one replica at a time. */
export interface EvaluationJob {
  /** Evaluates the watches now, and then every minute as long as any is active. */
  schedule(teamId: string): Promise<void>;
  /**
   * Returns how often each VPS is read (in ms) and how many calls a cycle makes, both as of the last cycle. Returns
   * undefined if no watch is active.
   */
  latestRate(teamId: string): Promise<Pick<EvaluationCycle, 'intervalMs' | 'calls'> | undefined>;
}

const jobName = 'watch-evaluation';

/** Maximum workspaces that a process evaluates at once. */
const maxConcurrency = 20;

export function createEvaluationJob(dependencies: EvaluationJobDependencies): EvaluationJob {
  const { jobs, isActive, hasActiveWatches, listTeamsWithoutJob, evaluate, log } = dependencies;
  const { clock } = jobs;
  const toFirstJob = (teamId: string): NewJob<EvaluationCycle> => ({
    id: teamId,
    teamId,
    payload: { lastVps: null, intervalMs: null, calls: 0 },
    dueMs: nextTurn(phaseOf(teamId), clock.now() - cycleIntervalMs),
  });

  const kind: JobKind<EvaluationCycle> = {
    name: jobName,
    payload: evaluationCycle,
    retry: { firstMs: cycleIntervalMs, maxMs: cycleIntervalMs },
    concurrency: maxConcurrency,
    listMissing: async () => (await listTeamsWithoutJob(jobName)).map(toFirstJob),
    async handle({ teamId, payload: { lastVps }, dueMs }, { signal }) {
      if (!(await hasActiveWatches(teamId))) return { kind: 'done' };
      const atMs = nextTurn(dueMs, clock.now());
      if (!(await isActive(teamId))) return { kind: 'repeat', atMs };
      const payload = await evaluate(teamId, lastVps, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error, teamId }, 'an evaluation cycle failed');
        return { lastVps, intervalMs: null, calls: 0 };
      });
      signal.throwIfAborted();
      return { kind: 'repeat', atMs, payload };
    },
  };
  const queue: JobQueue<EvaluationCycle> = jobs.define(kind);

  return {
    schedule: (teamId) => queue.ensure(toFirstJob(teamId)),
    async latestRate(teamId) {
      return (await hasActiveWatches(teamId)) ? queue.findPayload(teamId) : undefined;
    },
  };
}

/**
 * Returns the offset within a minute, in ms, at which a workspace's cycles begin. Hashing spreads the
 * workspaces evenly.
 */
function phaseOf(teamId: string): number {
  return createHash('sha256').update(teamId).digest().readUInt32BE() % cycleIntervalMs;
}

/** Returns the first time after `nowMs` that is a whole number of intervals from `turnMs`. */
function nextTurn(turnMs: number, nowMs: number): number {
  return turnMs + (Math.floor((nowMs - turnMs) / cycleIntervalMs) + 1) * cycleIntervalMs;
}
