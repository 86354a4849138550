import type { Logger } from 'pino';
import { explain, type Problem } from '../operations/runs/problem.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Asking } from './asking.ts';
import type { Backlog } from './backlog.ts';
import type { Door } from './door.ts';
import { renderProblem } from './render/problem.ts';

/** Askings that are remembered: Slack delivers again within minutes, if at all. */
const mostRemembered = 2_000;

export interface Answering {
  /** Whether there is more to answer already than there should be. */
  isFull(): boolean;
  /** Answers what was asked, after its ack, and only once for each key. However it fails, the asker is told. */
  later(key: string, createAsking: () => Asking, work: (asking: Asking) => Promise<void>): void;
}

interface AnsweringParts {
  readonly backlog: Backlog;
  readonly door: Door;
  readonly runs: Pick<RunStore, 'record'>;
  readonly log: Pick<Logger, 'error'>;
}

/** What somebody asked for who did not come in, as the record names it. */
const unheard = 'not let in';

/** Creates what answers by way of the backlog, and nobody but people of the workspace. */
export function createAnswering({ backlog, door, runs, log }: AnsweringParts): Answering {
  const seen = new Set<string>();

  /** Runs are kept from running twice by their own keys; this keeps words from being said twice. */
  function isAnsweredBefore(key: string): boolean {
    if (seen.has(key)) return true;
    const [oldest] = seen;
    if (seen.size >= mostRemembered && oldest !== undefined) seen.delete(oldest);
    seen.add(key);
    return false;
  }

  async function turnAway({ asker, origin, reply }: Asking, outcome: Problem): Promise<void> {
    const entry = { asker, origin, operation: unheard, target: null, status: 'refused' as const };
    await runs.record({ ...entry, outcome, nowMs: Date.now() });
    await reply.tell(renderProblem(outcome));
  }

  async function answer(asking: Asking, work: (asking: Asking) => Promise<void>): Promise<void> {
    try {
      const problem = await door(asking.asker);
      if (problem) return await turnAway(asking, problem);
      await work(asking);
    } catch (error) {
      log.error({ err: error }, 'what was asked in Slack could not be answered');
      const changed = 'Whatever has begun goes on, and its own message tells how it ends.';
      await asking.reply.tell(renderProblem({ ...explain(error, { changing: false }), changed }));
    }
  }

  return {
    isFull: backlog.isFull,
    later(key, createAsking, work) {
      if (!isAnsweredBefore(key)) backlog.add(() => answer(createAsking(), work));
    },
  };
}
