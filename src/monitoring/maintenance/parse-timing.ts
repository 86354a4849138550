import { parseDurationMs } from '../../operations/grammar/duration.ts';
import { dayMs, minuteMs } from '../../time/units.ts';
import { createWallClock } from '../../time/wall-clock.ts';
import { msAfterMidnight, parseTimeOfDay } from '../shared/time/time-of-day.ts';
import { parseDays, weekdayOf, weekdays } from '../shared/time/weekday.ts';
import type { Period } from '../shared/time-series.ts';
import { maxLengthMs, neverEnds, type Timing } from './timing.ts';

export type ParseTimingResult =
  | { readonly kind: 'valid'; readonly timing: Timing }
  | { readonly kind: 'invalid'; readonly message: string };

const minLengthMs = 5 * minuteMs;

/** How far ahead a window can be planned. */
const maxAheadMs = 366 * dayMs;

const examples = 'such as sat 02:00-04:00, every sun 01:00-03:00, tomorrow 22:00-23:30 or now for 2h';

/** Matches `DAY 02:00-04:00`. */
const spanText = /^(?<day>.*?)\s*(?<from>\d{1,2}[:.]\d{2})\s*(?:[-–—]|to|until)\s*(?<to>\d{1,2}[:.]\d{2})$/i;
/** Matches `DAY 02:00 for 2h` and `now for 2h`. */
const lengthText = /^(?<day>.*?)\s*(?<from>\d{1,2}[:.]\d{2}|now)?\s*\bfor\s+(?<length>.+)$/i;
const repeated = /^(?:every|each)\s+(?<days>.+)$/i;
const daily = /^(?:daily|(?:every|each) day)$/i;
const workdays = /^(?:every |each )?(?:weekdays?|workdays?)$/i;

/** Parses the times of a maintenance window. Days and times are those of the time zone. */
export function parseTiming(text: string, zone: string, nowMs: number): ParseTimingResult {
  const written = text.trim().replace(/\s+/g, ' ');
  const span = spanText.exec(written)?.groups;
  const open = span ? undefined : lengthText.exec(written)?.groups;
  if (open) return parseOpen(open, zone, nowMs);
  if (!span) return invalid(explainUnreadable(written));
  const from = parseTimeOfDay(span.from ?? '');
  const to = span.to === '24:00' ? '00:00' : parseTimeOfDay(span.to ?? '');
  if (!from || !to) return invalid(`Give times from 00:00 to 24:00, ${examples}`);
  const recurring = parseRecurringDays(span.day ?? '');
  if (recurring) return checkWeekly({ kind: 'weekly', days: recurring, from, to, zone }, nowMs);
  const fromOfDayMs = msAfterMidnight(from);
  const lengthMs = (msAfterMidnight(to) - fromOfDayMs + dayMs) % dayMs || dayMs;
  return planOnce(span.day ?? '', { fromOfDayMs, lengthMs }, zone, nowMs);
}

/** Parses a window with a length instead of an end: `now for 2h`, `sat 02:00 for 90m`. */
function parseOpen(
  { day = '', from, length = '' }: Readonly<Record<string, string | undefined>>,
  zone: string,
  nowMs: number,
): ParseTimingResult {
  const lengthMs = parseDurationMs(length);
  if (lengthMs === undefined) return invalid(`Give a length after "for", ${examples}`);
  if (from === undefined || from.toLowerCase() === 'now')
    return day === ''
      ? checkOnce({ fromMs: nowMs, untilMs: nowMs + lengthMs }, zone, nowMs)
      : invalid(noDay(day));
  const time = parseTimeOfDay(from);
  if (!time) return invalid(`Give times from 00:00 to 24:00, ${examples}`);
  if (parseRecurringDays(day))
    return invalid('Give a recurring window as times, such as every sat 02:00-04:00');
  return planOnce(day, { fromOfDayMs: msAfterMidnight(time), lengthMs }, zone, nowMs);
}

/** Formats why text can't be parsed. The most frequent reason is a window without an end. */
function explainUnreadable(written: string): string {
  const hasStart = /\d{1,2}[:.]\d{2}|\bnow\b|\bfrom\b/i.test(written) || /^(forever|always)$/i.test(written);
  return hasStart
    ? `A window needs an end, ${examples}. To silence something for good, pause the watch or mute the VPS`
    : `Give a day and times, ${examples}`;
}

function parseRecurringDays(day: string): readonly (typeof weekdays)[number][] | undefined {
  if (daily.test(day)) return weekdays;
  if (workdays.test(day)) return weekdays.slice(0, 5);
  const named = repeated.exec(day)?.groups?.days ?? (/s$/i.test(day) && /days$/i.test(day) ? day : undefined);
  return named === undefined ? undefined : parseDays(named);
}

/** Plans a window on one day: a date, today, tomorrow, a day of the week, or the next day with that time. */
function planOnce(
  day: string,
  { fromOfDayMs, lengthMs }: { readonly fromOfDayMs: number; readonly lengthMs: number },
  zone: string,
  nowMs: number,
): ParseTimingResult {
  const { wallMsAt, firstMsAt } = createWallClock(zone);
  const todayMs = Math.floor(wallMsAt(nowMs) / dayMs) * dayMs;
  const candidates = findDays(day.replace(/^on /i, ''), todayMs);
  if (candidates === 'several') return invalid(`Several days make a recurring window: say every ${day}`);
  if (!candidates) return invalid(noDay(day));
  const periods = candidates.map((midnightMs): Period => {
    const fromMs = firstMsAt(midnightMs + fromOfDayMs);
    const untilMs = firstMsAt(midnightMs + fromOfDayMs + lengthMs);
    return { fromMs, untilMs: untilMs > fromMs ? untilMs : fromMs + lengthMs };
  });
  const next = periods.find(({ untilMs }) => untilMs > nowMs);
  return next ? checkOnce(next, zone, nowMs) : invalid('This time has passed');
}

/** Returns the days that the text means, as wall-clock midnights, in order. */
function findDays(day: string, todayMs: number): readonly number[] | 'several' | undefined {
  if (day === '') return [todayMs, todayMs + dayMs];
  if (/^today$/i.test(day)) return [todayMs];
  if (/^tomorrow$/i.test(day)) return [todayMs + dayMs];
  if (/^\d{4}-\d{2}-\d{2}$/.test(day)) {
    const atMs = Date.parse(`${day}T00:00Z`);
    return Number.isNaN(atMs) ? undefined : [atMs];
  }
  const days = parseDays(day.replace(/^(?:next|this) /i, ''));
  if (days && days.length > 1) return 'several';
  const week = Array.from({ length: 8 }, (_, index) => todayMs + index * dayMs);
  return days && week.filter((midnightMs) => days.includes(weekdayOf(midnightMs)));
}

function noDay(day: string): string {
  return `Rackhand doesn't understand the day "${day}". Give a day and times, ${examples}`;
}

function checkOnce({ fromMs, untilMs }: Period, zone: string, nowMs: number): ParseTimingResult {
  const lengthMs = untilMs - fromMs;
  if (lengthMs < minLengthMs) return invalid('A window is at least 5 minutes long');
  if (lengthMs > maxLengthMs)
    return invalid('A window is at most 7 days long. For longer, pause the watch or mute the VPS');
  if (fromMs > nowMs + maxAheadMs) return invalid('A window can be planned up to a year ahead');
  return { kind: 'valid', timing: { kind: 'once', fromMs, untilMs, zone } };
}

function checkWeekly(timing: Timing & { readonly kind: 'weekly' }, nowMs: number): ParseTimingResult {
  if (neverEnds(timing, nowMs))
    return invalid(
      'This window would never end: it begins again whenever it ends. To silence something for good, pause the watch or mute the VPS',
    );
  const lengthMs = (msAfterMidnight(timing.to) - msAfterMidnight(timing.from) + dayMs) % dayMs || dayMs;
  if (lengthMs < minLengthMs) return invalid('A window is at least 5 minutes long');
  return { kind: 'valid', timing };
}

function invalid(message: string): ParseTimingResult {
  return { kind: 'invalid', message };
}
