import type { Logger } from 'pino';
import type { MemberGuard } from '../../../auth/member-guard.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { type Problem, toProblem } from '../../../runs/problem.ts';
import type { RunStore } from '../../../runs/store/run-store.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { Invocation } from '../../invocation.ts';

/** How many request keys are remembered. Slack redelivers within minutes. */
const maxRememberedKeys = 2_000;

/**
 * A person with this many unfinished requests can't add another one. Most requests wait for the
 * quota or for Slack, so their total number isn't limited.
 */
const maxUnfinishedPerPerson = 50;

export interface InvocationQueue {
  /** Returns whether a person has too many unfinished requests to add another one. */
  isFull(actor: Actor): boolean;
  /**
   * Starts the work of an acknowledged request in a later turn of the event loop, at most once per
   * request key. Failures are reported to the actor.
   */
  enqueueOnce<Request extends Invocation>(request: Request, work: (request: Request) => Promise<void>): void;
  /** Adds a refused request to the activity log. `operation` says what was tried. */
  logRefusal(request: Invocation, operation: string, problem: Problem): Promise<void>;
  /** Tells a person why a click had no effect. If they lack a right, that's in the activity log too. */
  refuseClick(click: Invocation, operation: string, problem: Problem): Promise<void>;
  /** Resolves when all requests have been handled. */
  drained(): Promise<void>;
}

interface InvocationQueueDependencies {
  readonly memberGuard: MemberGuard;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly log: Pick<Logger, 'error'>;
  /** The time by the clock of the jobs. */
  readonly now: () => number;
}

/** The activity log's name for a request by someone who isn't a member. */
const deniedOperationName = 'use Rackhand';

/**
 * Creates the queue that handles requests after their ack. It rejects people who aren't members of
 * the workspace.
 */
export function createInvocationQueue({
  memberGuard,
  runs,
  log,
  now,
}: InvocationQueueDependencies): InvocationQueue {
  const seen = new Set<string>();
  /** The unfinished requests, each with the key of its person. */
  const unfinished = new Map<Promise<void>, string>();

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
    isFull(actor) {
      const person = toPersonKey(actor);
      const own = [...unfinished.values()].filter((key) => key === person);
      return own.length >= maxUnfinishedPerPerson;
    },
    logRefusal,
    async refuseClick(click, operation, problem) {
      if (problem.code === 'not_permitted') await logRefusal(click, operation, problem);
      await click.reply.sendToActor(renderProblem(problem));
    },
    enqueueOnce(request, work) {
      if (isDuplicate(request.requestKey)) return;
      const received = { ...request, receivedMs: request.receivedMs ?? now() };
      // The ack is sent before the work begins.
      const handled = new Promise<void>((resolve) => setImmediate(resolve))
        .then(() => handle(received, work))
        .catch((error) => log.error({ err: error }, 'a task failed after its ack'))
        .finally(() => unfinished.delete(handled));
      unfinished.set(handled, toPersonKey(request.actor));
    },
    async drained() {
      while (unfinished.size > 0) await Promise.race(unfinished.keys());
    },
  };
}

function toPersonKey({ teamId, userId }: Actor): string {
  return `${teamId} ${userId}`;
}
