const dayTimeFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const weekdayFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric' });
const dateFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });

export function formatTime(wallMs: number): string {
  return timeFormat.format(wallMs);
}

/** Formats a wall time's day as `Sat 21`. */
export function formatWeekday(wallMs: number): string {
  const parts = weekdayFormat.formatToParts(wallMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('weekday')} ${part('day')}`;
}

export function formatDate(wallMs: number): string {
  return dateFormat.format(wallMs);
}

/** Formats a wall time as `21 Nov 14:05`. */
export function formatDayAndTime(wallMs: number): string {
  return dayTimeFormat.format(wallMs).replace(',', '');
}
