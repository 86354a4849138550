import { z } from 'zod';
import { msAfterMidnight, parseTimeOfDay, timeOfDay } from './time-of-day.ts';
import { dayMs } from './units.ts';
import { formatDays, parseDays, toDaysText, weekdayList, weekdayOf, weekdays } from './weekday.ts';

export const quietWindow = z.object({
  from: timeOfDay,
  /** If equal to `from`, the window ends a day later. */
  to: timeOfDay,
  /** The days on which the window begins. */
  days: weekdayList,
});

/** Hours of the week without posts. */
export type QuietWindow = Readonly<z.infer<typeof quietWindow>>;

/** Returns when the quiet hours that contain a wall-clock time end, or undefined if no quiet hours contain it. */
export function quietHoursEndMs(windows: readonly QuietWindow[], wallMs: number): number | undefined {
  const midnightMs = Math.floor(wallMs / dayMs) * dayMs;
  const ends = windows.flatMap(({ from, to, days }) => {
    const [fromMs, toMs] = [msAfterMidnight(from), msAfterMidnight(to)];
    const lengthMs = toMs > fromMs ? toMs - fromMs : toMs - fromMs + dayMs;
    return [midnightMs - dayMs, midnightMs]
      .filter((beginMs) => days.includes(weekdayOf(beginMs)))
      .map((beginMs) => ({ fromMs: beginMs + fromMs, untilMs: beginMs + fromMs + lengthMs }))
      .filter(({ fromMs, untilMs }) => fromMs <= wallMs && wallMs < untilMs)
      .map(({ untilMs }) => untilMs);
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}

const maxWindows = 10;

/**
 * Parses quiet hours separated by commas or semicolons: `22:00-07:00`, `22:00-07:00 mon-fri`, or
 * `sat sun` for whole days. Returns an empty list for empty text, and undefined for invalid text.
 */
export function parseQuietHours(text: string): readonly QuietWindow[] | undefined {
  if (text.trim() === '') return [];
  const windows = text.split(/[,;]/).map((part) => parseWindow(part.trim()));
  const read = windows.flatMap((window) => window ?? []);
  return read.length === windows.length && read.length <= maxWindows ? read : undefined;
}

function parseWindow(text: string): QuietWindow | undefined {
  const span = /^(\d[\d:.]*)\s*(?:[-–—]|to|until)\s*(\d[\d:.]*)(.*)$/i.exec(text);
  if (!span) {
    const days = parseDays(text);
    return days && { from: '00:00', to: '00:00', days };
  }
  const [, first = '', last = '', rest = ''] = span;
  const from = parseTimeOfDay(first);
  const to = last === '24:00' ? '00:00' : parseTimeOfDay(last);
  const days = rest.trim() === '' ? weekdays : parseDays(rest);
  return from && to && days ? { from, to, days } : undefined;
}

/** Formats quiet hours in a form that `parseQuietHours` accepts. */
export function toQuietHoursText(windows: readonly QuietWindow[]): string {
  return windows
    .map(({ from, to, days }) => {
      if (from === '00:00' && to === '00:00') return toDaysText(days);
      return days.length === weekdays.length ? `${from}-${to}` : `${from}-${to} ${toDaysText(days)}`;
    })
    .join(', ');
}

/** Formats quiet hours as part of a sentence: `from 22:00 to 07:00 or on Saturday and Sunday`. */
export function formatQuietHours(windows: readonly QuietWindow[]): string {
  return windows.map(formatWindow).join(' or ');
}

function formatWindow({ from, to, days }: QuietWindow): string {
  const isDaily = days.length === weekdays.length;
  if (from === to && from === '00:00') return `on ${isDaily ? 'any day' : formatDays(days)}`;
  const times = `from ${from} to ${to === from ? `${to} of the next day` : to}`;
  return isDaily ? times : `${times} (${formatDays(days)})`;
}
