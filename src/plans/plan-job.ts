import { z } from 'zod';
import { RackhandError } from '../errors.ts';
import type { Job, JobContext, JobKind, JobResult } from '../jobs/job-kind.ts';
import type { PauseReason, StoredPlan } from './plan.ts';

const payload = z.object({});

/** The payload is empty, because the due time is stored with the plan. */
export type PlanJobPayload = z.infer<typeof payload>;

/** The context and claim of a plan's job. `attempt` starts at 1. */
export type DueContext = JobContext & Pick<Job<unknown>, 'token' | 'attempt'>;

type DueResult = JobResult<PlanJobPayload>;

/** An occurrence that was skipped or missed. */
export interface PassedTime {
  readonly dueMs: number;
  readonly isSkipped: boolean;
  /** When the occurrence to continue with is due; `null` if none is left. */
  readonly nextMs: number | null;
}

/** How a kind of plan handles its due times. */
export interface DueKind<One extends StoredPlan, Progress, Occurrence>
  extends Pick<JobKind<PlanJobPayload>, 'name' | 'retry' | 'concurrency'> {
  readonly store: {
    get(id: string): Promise<One | undefined>;
    listWithoutJob(): Promise<readonly { readonly id: string; readonly teamId: string }[]>;
    nextAfter(plan: One, atMs: number): number | null;
    finish(
      plan: One,
      token: string,
      end: { readonly nextMs: number | null; readonly progress?: Partial<Progress> },
      nowMs: number,
    ): Promise<One | undefined>;
  };
  pause(plan: One, reason: PauseReason): Promise<unknown>;
  /**
   * If the due time is too long ago, returns when the occurrence to continue with is due, or `null` if none is left.
   */
  findLater(plan: One, dueMs: number, nowMs: number, attempt: number): number | null | undefined;
  /** Reports a skipped or missed occurrence. Returns the progress to store. */
  passOver?(plan: One, passed: PassedTime, context: DueContext): Promise<Partial<Progress>>;
  /** Prepares for an occurrence. Returns when to check again, or undefined to begin the occurrence now. */
  prepare(plan: One, dueMs: number, context: DueContext): Promise<number | undefined>;
  begin(plan: One, dueMs: number, context: DueContext): Promise<DueResult | undefined>;
  /** Continues an occurrence that has begun. Returns when to check again. */
  follow?(plan: One, occurrence: Occurrence, context: DueContext): Promise<number>;
}

/**
 * Creates the job for a kind of plan. Each occurrence begins only once, across all replicas and restarts.
 * Occurrences that were skipped or are too late are passed over.
 */
export function createPlanJob<
  One extends StoredPlan & { readonly occurrence: Occurrence | null },
  Progress,
  Occurrence,
>(kind: DueKind<One, Progress, Occurrence>): JobKind<PlanJobPayload> {
  const { name, retry, concurrency, store } = kind;

  async function handlePlan(plan: One, context: DueContext): Promise<DueResult> {
    const { nextMs: dueMs, state, occurrence } = plan;
    const nowMs = context.clock.now();
    if (occurrence !== null && kind.follow)
      return { kind: 'repeat', atMs: await kind.follow(plan, occurrence, context) };
    if (dueMs === null || (state.kind !== 'active' && state.kind !== 'approval')) return { kind: 'done' };
    if (!canReadTimes(plan, nowMs)) await kind.pause(plan, 'schedule');
    else if (state.kind === 'active') return handleTime(plan, dueMs, context);
    else if (nowMs < dueMs) return { kind: 'wait', atMs: dueMs };
    else await kind.pause(plan, 'unapproved');
    return { kind: 'repeat', atMs: nowMs };
  }

  async function handleTime(plan: One, dueMs: number, context: DueContext): Promise<DueResult> {
    const { token, attempt, clock } = context;
    const nowMs = clock.now();
    const lookAgain = { kind: 'repeat', atMs: nowMs } as const;
    const isSkipped = plan.skippedMs === dueMs;
    const laterMs = isSkipped ? store.nextAfter(plan, dueMs) : kind.findLater(plan, dueMs, nowMs, attempt);
    if (laterMs === undefined) {
      const waitUntilMs = await kind.prepare(plan, dueMs, context);
      if (waitUntilMs !== undefined) return { kind: 'wait', atMs: waitUntilMs };
      return (await kind.begin(plan, dueMs, context)) ?? lookAgain;
    }
    // A skipped occurrence is passed over only when it's due. Any earlier, it would become the next occurrence again.
    if (nowMs < dueMs) return { kind: 'wait', atMs: dueMs };
    const progress = (await kind.passOver?.(plan, { dueMs, isSkipped, nextMs: laterMs }, context)) ?? {};
    await store.finish(plan, token, { nextMs: laterMs, progress }, nowMs);
    return lookAgain;
  }

  /** Returns false if this machine doesn't know the time zone or this version can't read the times. */
  function canReadTimes(plan: One, nowMs: number): boolean {
    try {
      store.nextAfter(plan, nowMs);
      return true;
    } catch (error) {
      if (error instanceof RackhandError && error.code === 'input_invalid') return false;
      throw error;
    }
  }

  return {
    name,
    payload,
    retry,
    concurrency,
    listMissing: async () =>
      (await store.listWithoutJob()).map(({ id, teamId }) => ({ id, teamId, payload: {} })),
    async handle({ id, token, attempt }, context) {
      const plan = await store.get(id);
      return plan ? handlePlan(plan, { ...context, token, attempt }) : { kind: 'done' };
    },
  };
}
