import type { Logger } from 'pino';
import type { MemberGuard } from '../../../auth/member-guard.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { type Problem, toProblem } from '../../../runs/problem.ts';
import type { RunStore } from '../../../runs/store/run-store.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { Invocation } from '../../invocation.ts';
import type { Backlog } from '../../receivers/backlog.ts';

/** How many request keys are remembered. Slack redelivers within minutes. */
const maxRememberedKeys = 2_000;

export interface InvocationQueue {
  /** Returns whether new requests of a person should be rejected. */
  isFull(actor: Actor): boolean;
  /**
   * Queues the work of an acknowledged request, at most once per request key. Failures are reported
   * to the actor.
   */
  enqueueOnce(invocation: Invocation, work: (invocation: Invocation) => Promise<void>): void;
}

interface InvocationQueueDependencies {
  readonly backlog: Backlog;
  readonly memberGuard: MemberGuard;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly log: Pick<Logger, 'error'>;
  /** The time by the clock of the jobs. */
  readonly now: () => number;
}

/** The activity log's name for a request by someone who isn't a member. */
const deniedOperationName = 'use Rackhand';

/**
 * Creates the queue that runs requests through the backlog. It rejects people who aren't members of
 * the workspace.
 */
export function createInvocationQueue({
  backlog,
  memberGuard,
  runs,
  log,
  now,
}: InvocationQueueDependencies): InvocationQueue {
  const seen = new Set<string>();

  /**
   * Returns whether a request was already queued, to prevent duplicate replies. Duplicate runs are
   * prevented separately, by their own request keys.
   */
  function isDuplicate(key: string): boolean {
    if (seen.has(key)) return true;
    const [oldest] = seen;
    if (seen.size >= maxRememberedKeys && oldest !== undefined) seen.delete(oldest);
    seen.add(key);
    return false;
  }

  async function rejectNonMember({ actor, origin, reply }: Invocation, problem: Problem): Promise<void> {
    const entry = { actor, origin, operation: deniedOperationName, target: null, status: 'refused' as const };
    await runs.addAuditEntry({ ...entry, problem, nowMs: Date.now() });
    await reply.sendToActor(renderProblem(problem));
  }

  async function handle(
    invocation: Invocation,
    work: (invocation: Invocation) => Promise<void>,
  ): Promise<void> {
    try {
      const problem = await memberGuard(invocation.actor);
      if (problem) return await rejectNonMember(invocation, problem);
      await work(invocation);
    } catch (error) {
      log.error({ err: error }, 'a request from Slack failed');
      const changed = 'If something was started, it continues, and its own message shows the result.';
      await invocation.reply.sendToActor(
        renderProblem({ ...toProblem(error, { isChanging: false }), changed }),
      );
    }
  }

  return {
    isFull: backlog.isFull,
    enqueueOnce(invocation, work) {
      if (isDuplicate(invocation.requestKey)) return;
      const received = { ...invocation, receivedMs: invocation.receivedMs ?? now() };
      backlog.add(invocation.actor, () => handle(received, work));
    },
  };
}
