import { sayFirst } from '../reports/greeting.ts';
import { patternsInShort } from '../workspaces/rights/patterns.ts';
import { describeCondition } from './condition.ts';
import type { WatchVoice } from './voice.ts';
import type { WatchPlan } from './watch.ts';

/** Tells a channel that a watch is set for it. Throws `input_invalid` where the app cannot speak there. */
export function greetChannel(
  voice: Pick<WatchVoice, 'say'>,
  teamId: string,
  { name, channel, vps, condition }: WatchPlan,
): Promise<void> {
  const words = `A watch is set for this channel, "${name}": ${describeCondition(condition)}, on ${patternsInShort(vps)}.`;
  return sayFirst(voice, { teamId, channel }, words);
}
