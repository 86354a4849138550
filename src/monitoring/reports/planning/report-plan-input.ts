import { toWhenText } from '../../../time/parse-when.ts';
import { toQuietHoursText } from '../../../time/quiet-hours.ts';
import { toThresholdsInput } from '../findings/thresholds.ts';
import type { Report } from '../report.ts';
import { reportContent } from './report-content.ts';

const postKeywords = { always: 'always', standsOut: 'findings', changed: 'change' } as const;

/** Returns the input that would create this plan. Used to prefill its form. */
export function toReportPlanInput({
  name,
  channel,
  timing,
  content,
}: Report): Readonly<Record<string, string>> {
  const { about, vps, settings } = reportContent.parse(content);
  const scope =
    about === 'vps' ? { what: 'vps', about: vps } : { what: 'fleet', ...(vps !== '*' && { vps }) };
  const words: Readonly<Record<string, string | undefined>> = {
    when: toWhenText(timing),
    zone: timing.zone,
    ...(timing.quiet && { quiet: toQuietHoursText(timing.quiet) }),
    channel,
    ...scope,
    post: postKeywords[settings.post],
    thresholds: toThresholdsInput(settings),
    name,
  };
  return Object.fromEntries(
    Object.entries(words).flatMap(([field, word]) => (word === undefined ? [] : [[field, word]])),
  );
}
