import type { Logger } from 'pino';
import type { MemberGuard } from '../../../auth/member-guard.ts';
import type { PostOutcome } from '../../../messages/post-outcome.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { type Problem, toProblem } from '../../../runs/problem.ts';
import type { RunStore } from '../../../runs/store/run-store.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { Invocation } from '../../invocation.ts';

/** How many request keys are remembered. Slack redelivers within minutes. */
const maxRememberedKeys = 2_000;

/**
 * Maximum number of unfinished requests per person. There is no total limit, because most requests only wait
 * for the quota or for Slack.
 */
const maxUnfinishedPerPerson = 50;

export interface InvocationQueue {
  /** Returns whether a person has too many unfinished requests to add another. */
  isFull(actor: Actor): boolean;
  /**
   * Handles an acknowledged request in a later turn of the event loop, at most once per request key. Reports
   * failures to the actor.
   */
  enqueueOnce<Request extends Invocation>(request: Request, work: (request: Request) => Promise<void>): void;
  /** Adds a refused request to the activity log. `operation` says what was tried. */
  logRefusal(request: Invocation, operation: string, problem: Problem): Promise<void>;
  /** Tells a person why a click had no effect. If they lack a right, also adds the refusal to the activity log. */
  refuseClick(click: Invocation, operation: string, problem: Problem): Promise<void>;
  /** Resolves when all requests have been handled. */
  drained(): Promise<void>;
  /** Tells people whose requests weren't handled to try again, unless a run will report to them. Called last. */
  interrupt(): Promise<void>;
}

interface InvocationQueueDependencies {
  readonly memberGuard: MemberGuard;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  /** Posts an outcome to a person, even if this process ends before the outcome is sent. */
  readonly postOutcome: PostOutcome;
  readonly log: Pick<Logger, 'error'>;
  /** The current time by the jobs' clock. */
  readonly now: () => number;
}

const interruptedOutcome = {
  title: '⚠️ Rackhand restarted before it answered your last request',
  notes: ['Try again. Anything already started will continue. Its message will show the result.'],
};

/** Operation name that the activity log shows for a request by someone who isn't a member. */
const deniedOperationName = 'use Rackhand';

/** Creates the queue that handles requests after their ack. It rejects people who aren't members of the workspace. */
export function createInvocationQueue({
  memberGuard,
  runs,
  postOutcome,
  log,
  now,
}: InvocationQueueDependencies): InvocationQueue {
  const seen = new Set<string>();
  const unfinished = new Map<Promise<void>, Invocation>();
  /** Keys of the requests whose result a run will report. */
  const taken = new Set<string>();
  let isInterrupted = false;

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
      if (isInterrupted) return;
      if (problem) return await rejectNonMember(request, problem);
      await work(request);
    } catch (error) {
      log.error({ err: error }, 'a request from Slack failed');
      if (isInterrupted) return;
      const changed = 'Anything already started will continue. Its message will show the result.';
      await request.reply.sendToActor(renderProblem({ ...toProblem(error, { isChanging: false }), changed }));
    }
  }

  return {
    isFull(actor) {
      const person = toPersonKey(actor);
      const own = [...unfinished.values()].filter((request) => toPersonKey(request.actor) === person);
      return own.length >= maxUnfinishedPerPerson;
    },
    logRefusal,
    async refuseClick(click, operation, problem) {
      if (problem.code === 'not_permitted') await logRefusal(click, operation, problem);
      await click.reply.sendToActor(renderProblem(problem));
    },
    enqueueOnce(request, work) {
      if (isDuplicate(request.requestKey)) return;
      const { requestKey } = request;
      const received = { ...request, receivedMs: now(), onTaken: () => void taken.add(requestKey) };
      // The ack is sent before the work begins.
      const handled = new Promise<void>((resolve) => setImmediate(resolve))
        .then(() => handle(received, work))
        .catch((error) => log.error({ err: error }, 'a task failed after its ack'))
        .finally(() => {
          unfinished.delete(handled);
          taken.delete(requestKey);
        });
      unfinished.set(handled, request);
    },
    async drained() {
      while (unfinished.size > 0) await Promise.race(unfinished.keys());
    },
    async interrupt() {
      isInterrupted = true;
      const left = [...unfinished.values()].filter(({ requestKey }) => !taken.has(requestKey));
      await Promise.all(
        left.map(({ actor: { teamId, userId }, requestKey }) =>
          postOutcome(`interrupted:${requestKey}`, { teamId, channel: userId }, interruptedOutcome),
        ),
      );
    },
  };
}

function toPersonKey({ teamId, userId }: Actor): string {
  return `${teamId} ${userId}`;
}
