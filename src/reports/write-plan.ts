import { reportContent } from './content.ts';
import type { Report } from './schedule/report.ts';
import { writeRecurrence } from './schedule/write-recurrence.ts';
import { writeThresholds } from './summary/thresholds.ts';

const postWords = { always: 'always', standsOut: 'standout', changed: 'change' } as const;

/** Writes a report as a person would plan it: what the form of it is filled with. */
export function writePlan({ name, channel, recurrence, content }: Report): Readonly<Record<string, string>> {
  const { about, vps, settings } = reportContent.parse(content);
  const scope =
    about === 'vps' ? { what: 'vps', about: vps } : { what: 'fleet', ...(vps !== '*' && { vps }) };
  const words: Readonly<Record<string, string | undefined>> = {
    ...writeRecurrence(recurrence),
    channel,
    ...scope,
    post: postWords[settings.post],
    thresholds: writeThresholds(settings),
    name,
  };
  return Object.fromEntries(
    Object.entries(words).flatMap(([field, word]) => (word === undefined ? [] : [[field, word]])),
  );
}
