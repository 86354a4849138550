import { RackhandError } from '../error.ts';
import { describeCondition } from './condition.ts';
import type { WatchVoice } from './voice.ts';
import type { WatchPlan } from './watch.ts';

/** Tells a channel that a watch is set for it. Throws `input_invalid` where the app cannot speak there. */
export async function greetChannel(
  voice: Pick<WatchVoice, 'say'>,
  teamId: string,
  { name, channel, vps, condition }: WatchPlan,
): Promise<void> {
  const of = vps === '*' ? 'all VPS' : vps;
  const words = `A watch is set for this channel, "${name}": ${describeCondition(condition)}, on ${of}.`;
  const spoken = await voice.say({ teamId, channel }, words);
  if (spoken !== 'gone') return;
  const what =
    'Rackhand cannot speak in that channel: it is not a member there, or the channel is archived. Type /invite @Rackhand in it, then open the form and send it again, or choose another channel.';
  throw new RackhandError('input_invalid', what);
}
