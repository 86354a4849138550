import type { Logger } from 'pino';
import { explain } from '../operations/runs/problem.ts';
import type { Asking } from './asking.ts';
import type { Backlog } from './backlog.ts';
import { renderNotice } from './render/notice.ts';
import { renderProblem } from './render/problem.ts';

/** Askings that are remembered: Slack delivers again within minutes, if at all. */
const mostRemembered = 2_000;

export interface Answering {
  /** Whether there is more to answer already than there should be. */
  isFull(): boolean;
  /** Answers what was asked, after its ack, and only once for each key. However it fails, the asker is told. */
  later(key: string, createAsking: () => Asking, work: (asking: Asking) => Promise<void>): void;
}

const onlyMembers = 'Only people of this workspace can use Rackhand. Nothing was changed.';

/** In a channel shared with another organisation its people are there too. */
function isStranger({ asker, homeTeamId }: Asking): boolean {
  return homeTeamId !== undefined && homeTeamId !== asker.teamId;
}

/** Creates what answers by way of the backlog. */
export function createAnswering(backlog: Backlog, log: Pick<Logger, 'error'>): Answering {
  const seen = new Set<string>();

  /** Runs are kept from running twice by their own keys; this keeps words from being said twice. */
  function isAnsweredBefore(key: string): boolean {
    if (seen.has(key)) return true;
    const [oldest] = seen;
    if (seen.size >= mostRemembered && oldest !== undefined) seen.delete(oldest);
    seen.add(key);
    return false;
  }

  async function answer(asking: Asking, work: (asking: Asking) => Promise<void>): Promise<void> {
    try {
      if (isStranger(asking)) return await asking.reply.tell(renderNotice(onlyMembers));
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
