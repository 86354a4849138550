import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../../jobs/clock.ts';
import { startLeaseRenewal } from '../../../jobs/lease.ts';
import { createPollLoop } from '../../../jobs/poll-loop.ts';
import type {
  EvaluationCycle,
  EvaluationCycleResult,
  EvaluationCycleStore,
} from './evaluation-cycle-store.ts';
import { cycleIntervalMs } from './evaluation-rate.ts';

interface EvaluationSchedulerDependencies {
  readonly store: EvaluationCycleStore;
  readonly clock: Clock;
  /** How long a process counts as alive after its last heartbeat. */
  readonly leaseMs: number;
  /** Whether several replicas share the database. */
  readonly hasReplicas: boolean;
  /** Executes a cycle. The signal aborts when this process stops or loses the lease. */
  readonly evaluate: (cycle: EvaluationCycle, signal: AbortSignal) => Promise<EvaluationCycleResult>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Evaluates each workspace's watches once a minute, on one replica at a time. */
export interface EvaluationScheduler {
  start(): Promise<void>;
  /** Polls immediately, after a watch was added or resumed. */
  wake(): void;
  /** Starts nothing more. Releases unfinished cycles. */
  stop(): Promise<void>;
}

/** How long it can take to notice a workspace's first watch if another process added it. */
const maxSleepMs = 60_000;

/** Creates the evaluation scheduler of this process. */
export function createEvaluationScheduler({
  store,
  clock,
  leaseMs,
  hasReplicas,
  evaluate,
  log,
}: EvaluationSchedulerDependencies): EvaluationScheduler {
  const evaluations = new Map<string, Promise<void>>();

  const { wake, stopping, ...pollLoop } = createPollLoop({
    clock,
    maxSleepMs,
    async poll(nowMs) {
      let wakeMs = Number.POSITIVE_INFINITY;
      for (const cycle of await store.listUpcoming(nowMs)) {
        if (stopping.aborted) break;
        if (evaluations.has(cycle.teamId)) continue;
        if (cycle.dueMs <= nowMs) await startEvaluation(cycle, nowMs);
        else wakeMs = Math.min(wakeMs, cycle.dueMs);
      }
      return wakeMs;
    },
    onError: (error) => log.error({ err: error }, "can't poll the watches"),
  });

  async function startEvaluation(cycle: EvaluationCycle, nowMs: number): Promise<void> {
    const token = randomUUID();
    const claimed = await store.claim(cycle, { token, untilMs: nowMs + leaseMs }, nowMs);
    if (!claimed) return;
    const { teamId } = cycle;
    const work = evaluateAndFinish(claimed, token, nowMs)
      .catch((error) => log.error({ err: error, teamId }, "an evaluation cycle didn't finish"))
      .finally(() => {
        evaluations.delete(teamId);
        wake();
      });
    evaluations.set(teamId, work);
  }

  async function evaluateAndFinish(cycle: EvaluationCycle, token: string, beganMs: number): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping, lost.signal]);
    const stopRenewing = startLeaseRenewal({
      clock,
      leaseMs,
      renew: (untilMs) => store.renew({ token, untilMs }),
      onLost: () => lost.abort(new Error('another process has claimed the cycle')),
      onError: (error) => log.warn({ err: error }, 'the lease of an evaluation cycle could not be renewed'),
    });
    try {
      const result = await evaluate(cycle, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error, teamId: cycle.teamId }, 'an evaluation cycle failed');
        return undefined;
      });
      if (stopping.aborted) await store.release(token);
      else {
        const failed: EvaluationCycleResult = { lastVps: cycle.lastVps, intervalMs: null, calls: 0 };
        await store.finish(token, result ?? failed, beganMs + cycleIntervalMs);
      }
    } finally {
      stopRenewing();
    }
  }

  return {
    async start() {
      if (!hasReplicas) await store.releaseAll();
      await pollLoop.start();
    },
    wake,
    async stop() {
      await pollLoop.stop();
      await Promise.all(evaluations.values());
    },
  };
}
