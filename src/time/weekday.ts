import { z } from 'zod';
import { formatList } from '../format-list.ts';

/** The days of the week in order, as people type them. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Weekday = (typeof weekdays)[number];

export const weekdayList = z.array(z.enum(weekdays)).min(1).readonly();

const names: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

const minAbbreviationChars = 2;

/**
 * Parses days (`mon thu`, `Monday, Thursday`, `mon-fri`, `sat–mon`) and returns them in the week's
 * order. Returns undefined if they are invalid.
 */
export function parseDays(text: string): readonly Weekday[] | undefined {
  const spans = text
    .toLowerCase()
    .replace(/\s*[-–—]\s*/g, '-')
    .split(/[\s,]+|\band\b/)
    .filter((word) => word !== '')
    .map(parseSpan);
  const days = spans.flatMap((span) => span ?? []);
  if (days.length === 0 || spans.includes(undefined)) return undefined;
  return weekdays.filter((day) => days.includes(day));
}

/** Parses `mon`, or a span such as `fri-mon` including the days between. */
function parseSpan(text: string): readonly Weekday[] | undefined {
  const [first, last = first, ...more] = text.split('-').map(parseDay);
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  const from = weekdays.indexOf(first);
  const length = (weekdays.indexOf(last) - from + weekdays.length) % weekdays.length;
  return [...weekdays, ...weekdays].slice(from, from + length + 1);
}

function parseDay(word: string): Weekday | undefined {
  if (word.length < minAbbreviationChars) return undefined;
  return weekdays.find((day) => `${names[day].toLowerCase()}s`.startsWith(word));
}

export function weekdayOf(wallMs: number): Weekday {
  const sundayFirst = new Date(wallMs).getUTCDay();
  return weekdays[(sundayFirst + 6) % 7] ?? 'mon';
}

/** Formats days: `Monday, Tuesday and Thursday`, `Monday to Friday`. */
export function formatDays(days: readonly Weekday[]): string {
  const written = weekdays.filter((day) => days.includes(day));
  const [first, last] = [written[0], written.at(-1)];
  if (!first || !last) return '';
  const isUnbroken = weekdays.indexOf(last) - weekdays.indexOf(first) === written.length - 1;
  if (isUnbroken && written.length > 2) return `${names[first]} to ${names[last]}`;
  return formatList(
    written.map((day) => names[day]),
    'and',
  );
}

/** Formats days as people type them. Consecutive days become a span: `mon-fri`, `mon thu`. */
export function toDaysText(days: readonly Weekday[]): string {
  const written = weekdays.filter((day) => days.includes(day));
  const [first, last] = [written[0], written.at(-1)];
  if (!first || !last || written.length < 3) return written.join(' ');
  const isUnbroken = weekdays.indexOf(last) - weekdays.indexOf(first) === written.length - 1;
  return isUnbroken ? `${first}-${last}` : written.join(' ');
}
