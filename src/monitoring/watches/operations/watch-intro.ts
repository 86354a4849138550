import { formatPatternsShort } from '../../../auth/vps-pattern.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import type { ChannelPublisher } from '../../shared/channel-publisher.ts';
import { postIntro } from '../../shared/monitor/post-intro.ts';
import { formatCondition } from '../condition/condition.ts';
import type { WatchPlan } from '../watch.ts';

/**
 * Announces a watch in its channel, with the figures and states that it can't read now. Throws
 * `input_invalid` if the app can't post there.
 */
export function postWatchIntro(
  publisher: Pick<ChannelPublisher, 'postText'>,
  author: Pick<Actor, 'teamId' | 'userId'>,
  { name, channel, vps, condition }: WatchPlan,
  labelVps: LabelVps,
  warnings: readonly string[] = [],
): Promise<boolean> {
  const text = `Watch "${name}" alerts in this channel: ${formatCondition(condition)}, on ${labelVps(formatPatternsShort(vps))}.`;
  return postIntro(publisher, author, channel, [text, ...warnings].join('\n'));
}
