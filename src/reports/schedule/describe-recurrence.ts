import { writeTime } from '../../charts/zoned-time.ts';
import type { QuietWindow, Recurrence } from './recurrence.ts';
import { nextThree } from './timetable.ts';
import { describeDays, weekdays } from './weekday.ts';
import { createZone } from './zone.ts';

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** Says when a report comes: `Every Monday and Thursday at 09:00, Europe/Berlin; nothing on Saturday and Sunday`. */
export function describeRecurrence(recurrence: Recurrence): string {
  const { zone, quiet } = recurrence;
  const when = `${describeTimes(recurrence)}, ${zone}`;
  if (quiet.length === 0) return when;
  return `${when}; nothing ${quiet.map(describeQuiet).join(', nor ')}`;
}

function describeTimes(recurrence: Recurrence): string {
  switch (recurrence.every) {
    case 'day':
      return `Every day at ${recurrence.at}`;
    case 'weekday':
      return `Monday to Friday at ${recurrence.at}`;
    case 'week':
      return recurrence.days.length === weekdays.length
        ? `Every day at ${recurrence.at}`
        : `Every ${describeDays(recurrence.days)} at ${recurrence.at}`;
    case 'month':
      return `${describeDayOfMonth(recurrence.day)} at ${recurrence.at}`;
    case 'cron':
      return `As cron understands ${recurrence.expression}${rareDay(recurrence.expression)}`;
  }
}

function describeDayOfMonth(day: number): string {
  if (day === 31) return 'On the last day of every month';
  const date = `On the ${ordinal(day)} of every month`;
  return day > 28 ? `${date}, or its last day where it is shorter,` : date;
}

/** Cron leaves out the months that lack a day; people may not expect that. */
function rareDay(expression: string): string {
  const [, , day = '', , weekday] = expression.split(/\s+/);
  if (!/^(29|30|31)$/.test(day) || weekday !== '*') return '';
  return ` (only in months that have a ${ordinal(Number(day))}: L means the last day of any)`;
}

function ordinal(day: number): string {
  if (day > 3 && day < 21) return `${day}th`;
  return `${day}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

/** Says when it is quiet: `from 22:00 to 07:00`, `on Saturday and Sunday`. */
function describeQuiet({ from, to, days }: QuietWindow): string {
  const isDaily = days.length === weekdays.length;
  if (from === to && from === '00:00') return `on ${isDaily ? 'any day' : describeDays(days)}`;
  const times = `from ${from} to ${to === from ? `${to} of the next day` : to}`;
  return isDaily ? times : `${times} (${describeDays(days)})`;
}

/** Writes a moment as the clocks of a zone show it: `Monday 23 November 2026, 09:00`. */
export function describeMoment(atMs: number, zone: string): string {
  return describeWall(createZone(zone).wallMsAt(atMs));
}

function describeWall(wallMs: number): string {
  return `${dateFormat.format(wallMs).replace(',', '')}, ${writeTime(wallMs)}`;
}

/** Says the next three times of a recurrence, each with a word where a clock change moves it. */
export function describeNext(recurrence: Recurrence, afterMs: number): readonly string[] {
  const { wallMsAt } = createZone(recurrence.zone);
  return nextThree(recurrence, afterMs).map(({ atMs, wallMs }) => {
    const shownMs = wallMsAt(atMs);
    const moved = shownMs === wallMs ? '' : `, because the clocks go forward over ${writeTime(wallMs)}`;
    return `${describeWall(shownMs)}${moved}`;
  });
}
