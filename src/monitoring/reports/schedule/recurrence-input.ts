import type { QuietWindow } from '../../shared/time/quiet-hours.ts';
import { type Weekday, weekdays } from '../../shared/time/weekday.ts';
import type { RecurrenceInput } from './parse-recurrence.ts';
import type { Recurrence } from './recurrence.ts';

const kindKeywords = {
  day: 'daily',
  weekday: 'weekdays',
  week: 'weekly',
  month: 'monthly',
  cron: 'cron',
} as const satisfies Record<Recurrence['every'], string>;

/** Formats a recurrence in the form that `parseRecurrence` accepts. */
export function toRecurrenceInput(recurrence: Recurrence): RecurrenceInput {
  const { every, zone, quiet } = recurrence;
  return {
    every: kindKeywords[every],
    zone,
    ...(quiet.length > 0 && { quiet: quiet.map(toQuietHoursInput).join(', ') }),
    ...(recurrence.every === 'cron' ? { cron: recurrence.expression } : { at: recurrence.at }),
    ...(recurrence.every === 'week' && { days: toDaysInput(recurrence.days) }),
    ...(recurrence.every === 'month' && { day: String(recurrence.day) }),
  };
}

/**
 * Formats days. Consecutive days become a span. Others are separated by spaces, because a comma
 * would end the window.
 */
function toDaysInput(days: readonly Weekday[]): string {
  const written = weekdays.filter((day) => days.includes(day));
  const [first, last] = [written[0], written.at(-1)];
  if (!first || !last || written.length < 3) return written.join(' ');
  const isUnbroken = weekdays.indexOf(last) - weekdays.indexOf(first) === written.length - 1;
  return isUnbroken ? `${first}-${last}` : written.join(' ');
}

function toQuietHoursInput({ from, to, days }: QuietWindow): string {
  const isWholeDay = from === '00:00' && to === '00:00';
  if (isWholeDay) return toDaysInput(days);
  const span = `${from}-${to}`;
  return days.length === weekdays.length ? span : `${span} ${toDaysInput(days)}`;
}
