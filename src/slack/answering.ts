import type { Logger } from 'pino';
import { explain } from '../operations/problem.ts';
import type { Asking } from './asking.ts';
import type { Backlog } from './backlog.ts';
import { renderProblem } from './render/problem.ts';

/** Answers what was asked, after its ack. However it fails, the asker is told. */
export type AnswerLater = (asking: Asking, work: (asking: Asking) => Promise<void>) => void;

/** Creates what answers by way of the backlog. */
export function createAnswering(backlog: Backlog, log: Pick<Logger, 'error'>): AnswerLater {
  return (asking, work) =>
    backlog.add(async () => {
      try {
        await work(asking);
      } catch (error) {
        log.error({ err: error }, 'what was asked in Slack could not be answered');
        await asking.reply.tell(renderProblem(explain(error, { changing: false })));
      }
    });
}
