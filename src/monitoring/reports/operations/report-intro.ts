import type { Actor } from '../../../operations/define/access/actor.ts';
import { formatWhen } from '../../../time/format-when.ts';
import type { ChannelPublisher } from '../../shared/channel-publisher.ts';
import { postIntro } from '../../shared/monitor/post-intro.ts';
import type { ReportPlan } from '../report.ts';

/** Announces a report in its channel. Throws `input_invalid` if the app can't post there. */
export function postReportIntro(
  publisher: Pick<ChannelPublisher, 'postText'>,
  author: Pick<Actor, 'teamId' | 'userId'>,
  { name, channel, timing }: ReportPlan,
): Promise<boolean> {
  const text = `Report "${name}" is scheduled for this channel: ${formatWhen(timing)}.`;
  return postIntro(publisher, author, channel, text);
}
