import { RackhandError } from '../error.ts';
import { describeRecurrence } from './schedule/describe-recurrence.ts';
import type { ReportPlan } from './schedule/report.ts';
import type { ReportPlace, ReportVoice } from './voice.ts';

/** Tells a channel that a report is planned for it. Throws `input_invalid` where the app cannot speak there. */
export function greetChannel(
  voice: Pick<ReportVoice, 'say'>,
  teamId: string,
  { name, channel, recurrence }: ReportPlan,
): Promise<void> {
  const words = `A report is planned for this channel, "${name}": ${describeRecurrence(recurrence)}.`;
  return sayFirst(voice, { teamId, channel }, words);
}

/** Says the first words in a channel. Throws `input_invalid` where the app cannot speak there. */
export async function sayFirst(
  voice: Pick<ReportVoice, 'say'>,
  place: ReportPlace,
  words: string,
): Promise<void> {
  const spoken = await voice.say(place, words);
  if (spoken !== 'gone' && !('refusedAs' in spoken)) return;
  const what =
    'Rackhand cannot speak in that channel: it is not a member there, or the channel is archived. Type /invite @Rackhand in it, then open the form and send it again, or choose another channel.';
  throw new RackhandError('input_invalid', what);
}
