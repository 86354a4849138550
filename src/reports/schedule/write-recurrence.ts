import type { WrittenRecurrence } from './read-recurrence.ts';
import type { QuietWindow, Recurrence } from './recurrence.ts';
import { type Weekday, weekdays } from './weekday.ts';

const words = {
  day: 'daily',
  weekday: 'weekdays',
  week: 'weekly',
  month: 'monthly',
  cron: 'cron',
} as const satisfies Record<Recurrence['every'], string>;

/** Writes a recurrence as `readRecurrence` reads it, in the words that people type. */
export function writeRecurrence(recurrence: Recurrence): WrittenRecurrence {
  const { every, zone, quiet } = recurrence;
  return {
    every: words[every],
    zone,
    ...(quiet.length > 0 && { quiet: quiet.map(writeQuiet).join(', ') }),
    ...(recurrence.every === 'cron' ? { cron: recurrence.expression } : { at: recurrence.at }),
    ...(recurrence.every === 'week' && { days: writeDays(recurrence.days) }),
    ...(recurrence.every === 'month' && { day: String(recurrence.day) }),
  };
}

/** Days in a row are written as a span; others side by side, for a comma would end the window. */
function writeDays(days: readonly Weekday[]): string {
  const written = weekdays.filter((day) => days.includes(day));
  const [first, last] = [written[0], written.at(-1)];
  if (!first || !last || written.length < 3) return written.join(' ');
  const isUnbroken = weekdays.indexOf(last) - weekdays.indexOf(first) === written.length - 1;
  return isUnbroken ? `${first}-${last}` : written.join(' ');
}

function writeQuiet({ from, to, days }: QuietWindow): string {
  const isWholeDay = from === '00:00' && to === '00:00';
  if (isWholeDay) return writeDays(days);
  const span = `${from}-${to}`;
  return days.length === weekdays.length ? span : `${span} ${writeDays(days)}`;
}
