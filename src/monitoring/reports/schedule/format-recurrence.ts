import { formatTime } from '../../../time/format-wall-time.ts';
import { createWallClock } from '../../../time/wall-clock.ts';
import type { QuietWindow } from '../../shared/time/quiet-hours.ts';
import { formatDays, weekdays } from '../../shared/time/weekday.ts';
import type { Recurrence } from './recurrence.ts';
import { nextThreeTimes } from './timetable.ts';

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/**
 * Formats a schedule: `Every Monday and Thursday at 09:00, Europe/Berlin; no reports on Saturday
 * and Sunday`.
 */
export function formatRecurrence(recurrence: Recurrence): string {
  const { zone, quiet } = recurrence;
  const when = `${formatTimes(recurrence)}, ${zone}`;
  if (quiet.length === 0) return when;
  return `${when}; no reports ${quiet.map(formatQuietHours).join(' or ')}`;
}

function formatTimes(recurrence: Recurrence): string {
  switch (recurrence.every) {
    case 'day':
      return `Every day at ${recurrence.at}`;
    case 'weekday':
      return `Monday to Friday at ${recurrence.at}`;
    case 'week':
      return recurrence.days.length === weekdays.length
        ? `Every day at ${recurrence.at}`
        : `Every ${formatDays(recurrence.days)} at ${recurrence.at}`;
    case 'month':
      return `${formatDayOfMonth(recurrence.day)} at ${recurrence.at}`;
    case 'cron':
      return `By cron expression ${recurrence.expression}${formatRareDay(recurrence.expression)}`;
  }
}

function formatDayOfMonth(day: number): string {
  if (day === 31) return 'On the last day of every month';
  const date = `On the ${formatOrdinal(day)} of every month`;
  return day > 28 ? `${date}, or its last day if it is shorter,` : date;
}

/** Formats a note that cron skips months without this day, which people may not expect. */
function formatRareDay(expression: string): string {
  const [, , day = '', , weekday] = expression.split(/\s+/);
  if (!/^(29|30|31)$/.test(day) || weekday !== '*') return '';
  return ` (only in months with a ${formatOrdinal(Number(day))}; use L for the last day of every month)`;
}

function formatOrdinal(day: number): string {
  if (day > 3 && day < 21) return `${day}th`;
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

/** Formats quiet hours: `from 22:00 to 07:00`, `on Saturday and Sunday`. */
function formatQuietHours({ from, to, days }: QuietWindow): string {
  const isDaily = days.length === weekdays.length;
  if (from === to && from === '00:00') return `on ${isDaily ? 'any day' : formatDays(days)}`;
  const times = `from ${from} to ${to === from ? `${to} of the next day` : to}`;
  return isDaily ? times : `${times} (${formatDays(days)})`;
}

/** Formats a time in a time zone: `Monday 23 November 2026, 09:00`. */
export function formatMoment(atMs: number, zone: string): string {
  return formatWallTime(createWallClock(zone).wallMsAt(atMs));
}

function formatWallTime(wallMs: number): string {
  return `${dateFormat.format(wallMs).replace(',', '')}, ${formatTime(wallMs)}`;
}

/** Formats the next three times, with a note on a time that a clock change moves. */
export function formatNextTimes(recurrence: Recurrence, afterMs: number): readonly string[] {
  const { wallMsAt } = createWallClock(recurrence.zone);
  return nextThreeTimes(recurrence, afterMs).map(({ atMs, wallMs }) => {
    const shownMs = wallMsAt(atMs);
    const moved =
      shownMs === wallMs
        ? ''
        : `, because the clocks go forward and ${formatTime(wallMs)} doesn't exist that day`;
    return `${formatWallTime(shownMs)}${moved}`;
  });
}
