import { postIntro } from '../../shared/monitor/post-intro.ts';
import type { ReportPublisher } from '../delivery/report-publisher.ts';
import type { ReportPlan } from '../report.ts';
import { formatRecurrence } from '../schedule/format-recurrence.ts';

/** Announces a report in its channel. Throws `input_invalid` if the app can't post there. */
export function postReportIntro(
  publisher: Pick<ReportPublisher, 'postText'>,
  teamId: string,
  { name, channel, recurrence }: ReportPlan,
): Promise<boolean> {
  const text = `Report "${name}" is scheduled for this channel: ${formatRecurrence(recurrence)}.`;
  return postIntro(publisher, { teamId, channel }, text);
}
