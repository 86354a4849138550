import type { Logger } from 'pino';
import type { RunStatus } from '../../db/schema.ts';
import { RackhandError } from '../../errors.ts';
import type { ResolveAccess } from '../../operations/define/access.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { RawInput } from '../../operations/define/raw-input.ts';
import { findRequiredAccess } from '../../operations/define/required-access.ts';
import { withTimeout } from '../../with-timeout.ts';
import { findKeyRemedy, keyRequiredAccess } from '../key-remedies.ts';
import {
  deniedProblem,
  expiredProblem,
  isOutcomeUnknown,
  type Problem,
  personalizeKeyRemedy,
  toProblem,
} from '../problem.ts';
import type { ActiveRuns } from '../recovery/active-runs.ts';
import type { Announce, Run, SettledStatus } from '../run.ts';
import type { RunReply } from '../run-reply.ts';
import type { Lease } from '../store/run-leases.ts';
import type { RunStore } from '../store/run-store.ts';
import type { CreateRunContext } from './create-run-context.ts';
import type { Execute, QueuedChange } from './execution.ts';
import type { Settle } from './run-settler.ts';

/** How long a queued run can wait before it is sent. A reboot must not happen hours later. */
const sendDeadlineMs = 5 * 60_000;

export interface StepDependencies {
  readonly runs: RunStore;
  readonly resolveAccess: ResolveAccess;
  readonly createRunContext: CreateRunContext;
  readonly activeRuns: ActiveRuns;
  readonly execute: Execute;
  readonly settle: Settle;
  readonly announce: Announce;
  readonly lease: () => Lease;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly now: () => number;
}

/** The steps shared by the handlers of requests, confirmations and approvals. */
export type RunSteps = ReturnType<typeof createRunSteps>;

export function createRunSteps(dependencies: StepDependencies) {
  const { runs, resolveAccess, activeRuns, execute, settle, announce, lease, log, now } = dependencies;

  /**
   * Settles a run with a problem as its reply. Replies `duplicate` if the run's state has changed
   * in the meantime.
   */
  async function end(run: Run, status: SettledStatus, problem: Problem): Promise<RunReply> {
    const from: readonly RunStatus[] = [run.status];
    const isSettled = await settle(run, from, { status, result: { kind: 'problem', problem } });
    return isSettled ? { kind: 'problem', problem, runId: run.id } : { kind: 'duplicate' };
  }

  /** Settles a run that failed with an error. The problem is its reply. */
  async function fail(run: Run, error: unknown, isChanging = false): Promise<RunReply> {
    const isExpected = error instanceof RackhandError;
    if (isExpected) log.info({ runId: run.id, reason: error.label }, 'a run failed');
    else log.error({ err: error, runId: run.id }, 'a run failed unexpectedly');
    const problem = await addKeyRemedy(run, toProblem(error, { isChanging }));
    return end(run, isOutcomeUnknown(problem) ? 'unknown' : 'failed', problem);
  }

  /** Adds the button that fixes the API key, for people who are allowed to change the key. */
  async function addKeyRemedy({ actor, origin }: Run, problem: Problem): Promise<Problem> {
    if (!findKeyRemedy(problem.code)) return problem;
    try {
      return personalizeKeyRemedy(
        problem,
        (await resolveAccess(actor, origin))(keyRequiredAccess) === undefined,
      );
    } catch {
      // Access can't be checked right now, so the problem is reported unchanged.
      return problem;
    }
  }

  /** Replies for a run that is no longer `waiting`, or that has waited too long. */
  async function handleOverdue(run: Run): Promise<RunReply> {
    if (!isOverdue(run)) return { kind: 'duplicate' };
    // The run reaper settles a run that awaits approval, and updates its cards.
    return run.approval
      ? { kind: 'problem', problem: expiredProblem() }
      : end(run, 'expired', expiredProblem());
  }

  function isOverdue({ expiresMs }: Run): boolean {
    return (expiresMs ?? 0) <= now();
  }

  return {
    createRunContext: dependencies.createRunContext,
    end,
    fail,
    handleOverdue,
    isOverdue,

    /**
     * Returns why the actor isn't allowed to run this in this channel, or undefined. `raw` can be
     * incomplete.
     */
    async findDenial(
      { actor, origin }: Pick<Run, 'actor' | 'origin'>,
      operation: Operation,
      raw: RawInput,
    ): Promise<Problem | undefined> {
      const required = findRequiredAccess(operation, raw);
      const denial = required && (await resolveAccess(actor, origin))(required);
      return denial && deniedProblem(denial);
    },

    /** Queues a change that was checked, confirmed and approved, and starts executing it. */
    async enqueue(change: QueuedChange, approverId?: string): Promise<RunReply> {
      const queuedMs = now();
      const expiresMs = queuedMs + sendDeadlineMs;
      const { id, confirmedState } = change.run;
      const approved = approverId === undefined ? undefined : { by: approverId, confirmedState };
      if (!(await runs.enqueue(id, lease(), expiresMs, queuedMs, approved))) return handleOverdue(change.run);
      const approval = change.run.approval && { ...change.run.approval, approverId: approverId ?? null };
      const run: Run = { ...change.run, status: 'queued', approval, expiresMs, queuedMs };
      announce(run);
      activeRuns.start(run.id, () => execute({ ...change, run }));
      return { kind: 'started' };
    },

    /**
     * Replies with the result of `work`, or with a problem if it throws or the run expires first.
     * `isChanging` says whether the work has begun to change Rackhand's own data.
     */
    replyBeforeExpiry(run: Run, work: () => Promise<RunReply>, isChanging = () => false): Promise<RunReply> {
      const timeoutMs = (run.expiresMs ?? now()) - now();
      const reply = withTimeout(work(), timeoutMs).catch((error) => fail(run, error, isChanging()));
      return activeRuns.track(run.id, reply);
    },
  };
}
