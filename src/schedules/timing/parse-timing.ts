import { parseRecurrence, type RecurrenceInput } from '../../monitoring/reports/schedule/parse-recurrence.ts';
import type { Recurrence } from '../../monitoring/reports/schedule/recurrence.ts';
import { msAfterMidnight, parseTimeOfDay } from '../../monitoring/shared/time/time-of-day.ts';
import { parseDays, weekdayOf } from '../../monitoring/shared/time/weekday.ts';
import { dayMs } from '../../time/units.ts';
import { createWallClock } from '../../time/wall-clock.ts';

/** The time at which a schedule acts, or its recurrence. */
export type Timing =
  | { readonly kind: 'once'; readonly atMs: number; readonly zone: string }
  | { readonly kind: 'recurring'; readonly recurrence: Recurrence };

type ParsedTiming =
  | { readonly kind: 'valid'; readonly timing: Timing }
  | { readonly kind: 'invalid'; readonly message: string };

/** Times further ahead are rejected, because they are more likely mistakes. */
const maxAheadMs = 366 * dayMs;

const example = 'Give a time such as "tomorrow 03:00", "sat 04:00", 2026-12-01 03:00, or daily 02:00';

/** Parses `tomorrow 03:00`, `2026-12-01 03:00`, `daily 02:00`, `every mon thu 02:00` or `cron 0 2 * * *`. */
export function parseTiming(text: string, zone: string, nowMs: number): ParsedTiming {
  const words = toWords(text);
  const recurring = toRecurrenceInput(words);
  if (recurring) {
    const parsed = parseRecurrence({ ...recurring, zone }, nowMs);
    if (parsed.kind === 'valid')
      return { kind: 'valid', timing: { kind: 'recurring', recurrence: parsed.recurrence } };
    return { kind: 'invalid', message: parsed.problems.map(({ message }) => message).join('. ') };
  }
  return parseOnce(words, zone, nowMs);
}

function parseOnce(words: readonly string[], zone: string, nowMs: number): ParsedTiming {
  const { wallMsAt, instantAt } = createWallClock(zone);
  const time = parseTimeOfDay(words.at(-1) ?? '');
  const invalid = (message: string) => ({ kind: 'invalid', message }) as const;
  if (time === undefined || words.length > 2) return invalid(example);
  const nowWallMs = wallMsAt(nowMs);
  const todayMs = Math.floor(nowWallMs / dayMs) * dayMs;
  const date = findDate(words.length === 2 ? words[0] : undefined, todayMs, msAfterMidnight(time), nowWallMs);
  if (date === undefined) return invalid(example);
  const wallMs = date + msAfterMidnight(time);
  const atMs = instantAt(wallMs);
  if (atMs === undefined)
    return invalid(`${time} doesn't exist on that day in ${zone}: the clocks go forward`);
  if (atMs <= nowMs) return invalid('That time has passed');
  if (atMs > nowMs + maxAheadMs) return invalid('Choose a time within the next year');
  return { kind: 'valid', timing: { kind: 'once', atMs, zone } };
}

/** Returns midnight of the day that is meant, as a wall time. */
function findDate(
  word: string | undefined,
  todayMs: number,
  timeMs: number,
  nowWallMs: number,
): number | undefined {
  const isTimeLeftToday = todayMs + timeMs > nowWallMs;
  if (word === undefined) return isTimeLeftToday ? todayMs : todayMs + dayMs;
  if (word === 'today') return todayMs;
  if (word === 'tomorrow') return todayMs + dayMs;
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word);
  if (iso) {
    const dateMs = Date.parse(`${word}T00:00Z`);
    return !Number.isNaN(dateMs) && new Date(dateMs).toISOString().startsWith(word) ? dateMs : undefined;
  }
  const [day, ...others] = parseDays(word) ?? [];
  if (day === undefined || others.length > 0) return undefined;
  const offset = [0, 1, 2, 3, 4, 5, 6, 7].find((days) => {
    const dateMs = todayMs + days * dayMs;
    return weekdayOf(dateMs) === day && (days > 0 || isTimeLeftToday);
  });
  return offset === undefined ? undefined : todayMs + offset * dayMs;
}

function toRecurrenceInput(words: readonly string[]): RecurrenceInput | undefined {
  const [first = '', ...rest] = words;
  const at = rest.at(-1) ?? '';
  const middle = rest.slice(0, -1).join(' ');
  if (first === 'cron') return { every: 'cron', cron: rest.join(' ') };
  if (first === 'daily' || first === 'weekdays') return rest.length === 1 ? { every: first, at } : undefined;
  if (first === 'monthly') return { every: 'monthly', day: middle || '1', at };
  if (first === 'weekly') return { every: 'weekly', days: middle, at };
  if (first !== 'every') return undefined;
  if (middle === 'day') return { every: 'daily', at };
  if (middle === 'weekday') return { every: 'weekdays', at };
  return { every: 'weekly', days: middle, at };
}

/** Longer than any time, such as `every` with all days of the week. */
const maxTimeWords = 12;

/**
 * Splits `reboot web-01 tomorrow 03:00` into the act and the time. The time is the longest end of
 * the text that is a time of several words. If there is none, it is the longest end that looks like
 * a time, so that the message about it says what is wrong.
 */
export function splitActAndTime(text: string): { readonly act: string; readonly when: string } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const ends = words.map((_, index) => words.slice(index)).slice(Math.max(1, words.length - maxTimeWords));
  const when =
    ends.find((end) => isRecurrence(end) || isDayAndTime(end)) ??
    ends.find((end) => looksLikeRecurrence(end) || isTimeOfDay(end)) ??
    [];
  return { act: words.slice(0, words.length - when.length).join(' '), when: when.join(' ') };
}

function isRecurrence(words: readonly string[]): boolean {
  const input = toRecurrenceInput(toWords(words.join(' ')));
  return input !== undefined && parseRecurrence({ ...input, zone: 'UTC' }, 0).kind === 'valid';
}

function looksLikeRecurrence(words: readonly string[]): boolean {
  const [first = '', second = ''] = toWords(words.join(' '));
  if (first === 'cron') return words.length === 6 || second.startsWith('@');
  return ['daily', 'weekdays', 'weekly', 'monthly', 'every'].includes(first) && words.length > 1;
}

function isDayAndTime(words: readonly string[]): boolean {
  const [day = '', ...rest] = toWords(words.join(' '));
  const isDay = day === 'today' || day === 'tomorrow' || /^\d{4}-\d{2}-\d{2}$/.test(day) || !!parseDays(day);
  return isDay && isTimeOfDay(rest);
}

function isTimeOfDay(words: readonly string[]): boolean {
  return words.length === 1 && parseTimeOfDay(words[0] ?? '') !== undefined;
}

function toWords(text: string): readonly string[] {
  return text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Formats a time as `parseTiming` accepts it: `2026-12-01 03:00`. */
export function toOnceText(atMs: number, zone: string): string {
  const wall = new Date(createWallClock(zone).wallMsAt(atMs)).toISOString();
  return `${wall.slice(0, 10)} ${wall.slice(11, 16)}`;
}
