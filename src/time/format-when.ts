import { toDurationText } from './duration.ts';
import { formatDayAndTime, formatTime } from './format-wall-time.ts';
import { formatQuietHours } from './quiet-hours.ts';
import { nextThreeTimes } from './timetable.ts';
import { createWallClock } from './wall-clock.ts';
import { formatDays, weekdays } from './weekday.ts';
import type { When } from './when.ts';

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/**
 * Formats a WHEN: `Every Monday and Thursday at 09:00, Europe/Berlin`, `Every Saturday 02:00 to 04:00, UTC`, `Once, on
 * Tuesday 24 November 2026, 03:00, UTC`.
 */
export function formatWhen(when: When): string {
  const { zone, quiet = [] } = when;
  const times = `${formatTimes(when)}, ${zone}`;
  return quiet.length === 0 ? times : `${times}; not ${formatQuietHours(quiet)}`;
}

function formatTimes(when: When): string {
  switch (when.kind) {
    case 'once':
      return formatOnce(when);
    case 'day':
      return `Every day ${formatClock(when)}`;
    case 'week':
      if (when.days.length === weekdays.length) return `Every day ${formatClock(when)}`;
      return `${when.days.length > 2 && formatDays(when.days).includes(' to ') ? '' : 'Every '}${formatDays(when.days)} ${formatClock(when)}`;
    case 'month':
      return `${formatDayOfMonth(when.day)} ${formatClock(when)}`;
    case 'cron':
      return `${formatExpression(when.expression)}${formatLength(when)}`;
  }
}

function formatOnce({ atMs, zone, ends }: When & { readonly kind: 'once' }): string {
  if (!ends || 'at' in ends) return `Once, on ${formatMoment(atMs, zone)}`;
  const { wallMsAt } = createWallClock(zone);
  return `Once, ${formatDayAndTime(wallMsAt(atMs))} to ${formatDayAndTime(wallMsAt(atMs + ends.afterMs))}`;
}

/** Formats a time of day with its end: `at 09:00`, `02:00 to 04:00`, `at 02:00 for 2h`. */
function formatClock(when: When & { readonly at: string }): string {
  const { at, ends } = when;
  if (!ends || 'afterMs' in ends) return `at ${at}${formatLength(when)}`;
  return `${at} to ${ends.at > at ? ends.at : `${ends.at} of the next day`}`;
}

function formatLength({ ends }: When): string {
  if (!ends) return '';
  return 'afterMs' in ends ? ` for ${toDurationText(ends.afterMs)}` : ` until ${ends.at}`;
}

function formatExpression(expression: string): string {
  const [, minutes] = /^\*\/(\d+) \* \* \* \*$/.exec(expression) ?? [];
  if (minutes !== undefined) return `Every ${minutes} minutes`;
  const [, hours] = /^0 \*\/(\d+) \* \* \*$/.exec(expression) ?? [];
  if (hours !== undefined) return `Every ${hours} hours`;
  if (expression === '0 * * * *') return 'Every hour';
  return `By cron expression ${expression}${formatRareDay(expression)}`;
}

function formatDayOfMonth(day: number): string {
  if (day === 31) return 'On the last day of every month';
  const date = `On the ${formatOrdinal(day)} of every month`;
  return day > 28 ? `${date}, or its last day if it is shorter,` : date;
}

/** Returns a note if cron skips the months without this day, which people may not expect. */
function formatRareDay(expression: string): string {
  const [, , day = '', , weekday] = expression.split(/\s+/);
  if (!/^(29|30|31)$/.test(day) || weekday !== '*') return '';
  return ` (only in months with a ${formatOrdinal(Number(day))}; use L for the last day of every month)`;
}

function formatOrdinal(day: number): string {
  if (day > 3 && day < 21) return `${day}th`;
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

/** Formats a time in a time zone: `Monday 23 November 2026, 09:00`. */
export function formatMoment(atMs: number, zone: string): string {
  return formatWallTime(createWallClock(zone).wallMsAt(atMs));
}

function formatWallTime(wallMs: number): string {
  return `${dateFormat.format(wallMs).replace(',', '')}, ${formatTime(wallMs)}`;
}

/** Formats the next three times, with a note on any that a clock change moves. */
export function formatNextTimes(when: When, afterMs: number): readonly string[] {
  const { wallMsAt } = createWallClock(when.zone);
  return nextThreeTimes(when, afterMs).map(({ atMs, wallMs }) => {
    const shownMs = wallMsAt(atMs);
    const moved =
      shownMs === wallMs
        ? ''
        : `, because the clocks go forward and ${formatTime(wallMs)} doesn't exist that day`;
    return `${formatWallTime(shownMs)}${moved}`;
  });
}
