import type { Logger } from 'pino';
import { explain } from '../operations/problem.ts';
import type { Asking } from './asking.ts';
import type { Backlog } from './backlog.ts';
import { renderProblem } from './render/problem.ts';

export interface Answering {
  /** Whether there is more to answer already than there should be. */
  isFull(): boolean;
  /** Answers what was asked, after its ack. However it fails, the asker is told. */
  later(createAsking: () => Asking, work: (asking: Asking) => Promise<void>): void;
}

/** Creates what answers by way of the backlog. */
export function createAnswering(backlog: Backlog, log: Pick<Logger, 'error'>): Answering {
  return {
    isFull: backlog.isFull,
    later: (createAsking, work) =>
      backlog.add(async () => {
        const asking = createAsking();
        try {
          await work(asking);
        } catch (error) {
          log.error({ err: error }, 'what was asked in Slack could not be answered');
          await asking.reply.tell(renderProblem(explain(error, { changing: false })));
        }
      }),
  };
}
