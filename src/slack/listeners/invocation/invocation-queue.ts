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
  enqueueOnce<Request extends Invocation>(request: Request, work: (request: Request) => Promise<void>): void;
  /** Adds a refused request to the activity log. `operation` says what was tried. */
  logRefusal(request: Invocation, operation: string, problem: Problem): Promise<void>;
  /** Tells a person why a click had no effect. If they lack a right, that's in the activity log too. */
  refuseClick(click: Invocation, operation: string, problem: Problem): Promise<void>;
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

  const logRefusal: InvocationQueue['logRefusal'] = ({ actor, origin }, operation, problem) =>
    runs.addAuditEntry({ actor, origin, operation, target: null, status: 'refused', problem, nowMs: now() });

  async function rejectNonMember(request: Invocation, problem: Problem): Promise<void> {
    await logRefusal(request, deniedOperationName, problem);
    await request.reply.sendToActor(renderProblem(problem));
  }

  async function handle<Request extends Invocation>(
    request: Request,
    work: (request: Request) => Promise<void>,
  ): Promise<void> {
    try {
      const problem = await memberGuard(request.actor);
      if (problem) return await rejectNonMember(request, problem);
      await work(request);
    } catch (error) {
      log.error({ err: error }, 'a request from Slack failed');
      const changed = 'If something was started, it continues, and its own message shows the result.';
      await request.reply.sendToActor(renderProblem({ ...toProblem(error, { isChanging: false }), changed }));
    }
  }

  return {
    isFull: backlog.isFull,
    logRefusal,
    async refuseClick(click, operation, problem) {
      if (problem.code === 'not_permitted') await logRefusal(click, operation, problem);
      await click.reply.sendToActor(renderProblem(problem));
    },
    enqueueOnce(request, work) {
      if (isDuplicate(request.requestKey)) return;
      const received = { ...request, receivedMs: request.receivedMs ?? now() };
      backlog.add(request.actor, () => handle(received, work));
    },
  };
}
