import { Cron } from 'croner';
import { parseDurationMs, toDurationText } from './duration.ts';
import { maxPeriodMs, minPeriodMs, neverEnds, nextPeriod } from './periods.ts';
import { msAfterMidnight, parseTimeOfDay } from './time-of-day.ts';
import { nextTimeAfter, shortestIntervalMs } from './timetable.ts';
import { dayMs, hourMs, minuteMs } from './units.ts';
import { createWallClock } from './wall-clock.ts';
import { parseDays, toDaysText, weekdayOf, weekdays } from './weekday.ts';
import type { When } from './when.ts';

export type ParsedWhen =
  | { readonly kind: 'valid'; readonly when: When }
  | { readonly kind: 'invalid'; readonly message: string };

interface ParseWhenOptions {
  readonly zone: string;
  readonly nowMs: number;
  /** Whether the times need an end, as in maintenance windows. Otherwise, an end is invalid. */
  readonly isPeriod?: boolean;
  /** Start of the period being edited. Accepted even if it has passed. */
  readonly keptStartMs?: number | undefined;
}

const minIntervalMs = 15 * minuteMs;

/** Maximum time ahead. Later times are likely mistakes. */
const maxAheadMs = 366 * dayMs;

const pointExamples = 'tomorrow 03:00, sat 04:00, every sat 04:00, daily 02:00 or monthly 1 02:00';
const periodExamples = 'sat 02:00-04:00, every sun 01:00-03:00, tomorrow 22:00-23:30 or now for 2h';

/** Parses a WHEN in the given time zone. If it's invalid, the message says what to type instead. */
export function parseWhen(text: string, options: ParseWhenOptions): ParsedWhen {
  const { isPeriod = false } = options;
  const phrase = readPhrase(text);
  const examples = isPeriod ? periodExamples : pointExamples;
  if (phrase === undefined) {
    const typed = text.trim();
    return invalid(
      typed === ''
        ? `Say when, such as ${examples}`
        : `"${typed}" isn't a time. Give one such as ${examples}`,
    );
  }
  if (typeof phrase === 'string') return invalid(phrase);
  const { start, ends } = phrase;
  if (isPeriod && !ends)
    return invalid(
      `Say when it ends, such as ${text.trim()} for 2h${start.kind === 'on' ? ' or sat 02:00-04:00' : ''}`,
    );
  if (!isPeriod && ends)
    return invalid(`This can't have an end. Give only its start, such as ${pointExamples}`);
  return isSingle(start)
    ? planOnce(start, ends, options)
    : checkRepeated({ ...start, zone: options.zone, ...(ends && { ends }) }, options.nowMs);
}

type Ends = NonNullable<When['ends']>;
/** Omits keys from each member of a union. */
type OmitFromEach<Union, Keys extends PropertyKey> = Union extends unknown ? Omit<Union, Keys> : never;
type Repeated = OmitFromEach<Exclude<When, { kind: 'once' }>, 'zone' | 'ends' | 'quiet'>;

type Start = Repeated | SingleStart;
type SingleStart =
  | { readonly kind: 'now' }
  | { readonly kind: 'in'; readonly ms: number }
  | { readonly kind: 'instant'; readonly atMs: number }
  | {
      readonly kind: 'on';
      readonly day: string;
      readonly at: string;
      /** `next sat` is never today, and `this sat` is never a week from today. */
      readonly nearness?: 'next' | 'this';
    };

function isSingle(start: Start): start is SingleStart {
  return start.kind === 'now' || start.kind === 'in' || start.kind === 'instant' || start.kind === 'on';
}

interface Phrase {
  readonly start: Start;
  readonly ends?: Ends;
}

const time = String.raw`\d{1,2}[:.]\d{2}(?:\s?[ap]m)?|\d{4}(?!-\d{2}-|\d)|\d{1,2}\s?[ap]m|24:00`;
/** Matches `sat 02:00-04:00`, `now until 04:00`. */
const untilText = new RegExp(String.raw`^(.*?)\b(${time}|now)\s*(?:-|to|until)\s*(${time})(| .*)$`);
/** Matches `sat 02:00 for 2h`, `now for 2h`. */
const forText = /^(.*?)\s*\bfor\s+(\S.*)$/;
const timeText = new RegExp(String.raw`(?:^|\s)(${time})(?=\s|$)`);
const cronText = /^[\d*][\d*,/-]* [\d*][\d*,/-]* \S+ \S+ \S+$/;
/** Matches `cron 0 3 * * * until 04:00`, `0 3 * * *-04:00`. */
const cronUntilText = new RegExp(
  String.raw`^(cron .+?|@\w+|[\d*]\S* [\d*]\S* \S+ \S+ \S+?)\s*(?:-|to|until)\s*(${time})$`,
);
const everyDay = /^(?:daily|nightly|(?:every|each) (?:day|night))$/;
const workdays = /^(?:every |each )?(?:weekdays?|workdays?)$/;
const weekend = /^(?:every |each )?weekends?$/;
const monthly = /^(?:monthly|(?:every|each) month)(?: (.+))?$/;
const weekly = /^(?:weekly|(?:every|each) week)$/;
const repeatedDays = /^(?:every|each|weekly) (.+)$/;
/** Matches intervals that aren't supported. */
const unsupported =
  /^(?:(?:every|each) )?(fortnight(?:ly)?|bi-?weekly|quarter(?:ly)?|year(?:ly)?|annually)\b/;
const interval = /^(?:every|each) (?:(\d+)\s?)?([a-z]+)$/;

/** Returns a WHEN's parts, a sentence that says what's wrong with them, or undefined if the text isn't a WHEN. */
function readPhrase(text: string): Phrase | string | undefined {
  const written = normalize(text);
  const [, open, length] = forText.exec(written) ?? [];
  if (open !== undefined && length !== undefined) {
    const afterMs = parseDurationMs(length);
    if (afterMs === undefined) return `"${length}" isn't a duration. Give one such as 90m, 2h or 1d`;
    return withEnds(readStart(open || 'now'), { afterMs });
  }
  const [, repeated, until = ''] = cronUntilText.exec(written) ?? [];
  if (repeated !== undefined) return endAt(repeated, until);
  const [, head = '', from = '', to, tail = ''] = untilText.exec(written) ?? [];
  if (to === undefined || cronText.test(written)) return withEnds(readStart(written));
  return endAt(`${head}${from}${tail}`, to);
}

function endAt(start: string, typed: string): Phrase | string | undefined {
  const at = typed === '24:00' ? '00:00' : parseTimeOfDay(typed);
  return at ? withEnds(readStart(start), { at }) : noTime(typed);
}

function withEnds(start: Start | string | undefined, ends?: Ends): Phrase | string | undefined {
  // The suggested text needs the end too.
  if (typeof start === 'string') return start.replace(/(?<!such as )\d\d:\d\d$/, `$&${toEndText(ends)}`);
  return start && { start, ...(ends && { ends }) };
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[“”"'‘’]/g, '')
    .replace(/[–—]/g, '-')
    .replace(/\b(?:at|on)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function readStart(text: string): Start | string | undefined {
  if (text === 'now' || text === 'from now') return { kind: 'now' };
  const [, ahead] = /^in (.+)$/.exec(text) ?? [];
  if (ahead !== undefined) {
    const ms = parseDurationMs(ahead);
    return ms === undefined ? undefined : { kind: 'in', ms };
  }
  const [instant] = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}z$/.exec(text) ?? [];
  if (instant !== undefined)
    return { kind: 'instant', atMs: Date.parse(instant.replace(' ', 'T').toUpperCase()) };
  const [, expression] = /^cron(?: (.*))?$/.exec(text) ?? [];
  if (
    expression !== undefined ||
    text === 'cron' ||
    text.startsWith('@') ||
    (cronText.test(text) && text.includes('*'))
  )
    return readCron((expression ?? text).replace(/^cron$/, '').replace(/(?<![a-z])l(?![a-z])/g, 'L'));
  if (text === 'hourly') return { kind: 'cron', expression: '0 * * * *' };
  const typed = timeText.exec(text)?.[1];
  if (typed === undefined) return readInterval(text) ?? explainWithoutTime(text);
  const at = parseTimeOfDay(typed);
  const day = text.replace(timeText, ' ').replace(/\s+/g, ' ').trim();
  return at ? readDays(day, at) : isDay(day) ? noTime(typed) : undefined;
}

function noTime(typed: string): string {
  return `"${typed}" isn't a time of day. Give one from 00:00 to 23:59, such as 03:00`;
}

function isDay(day: string): boolean {
  return typeof readDays(day, '00:00') === 'object';
}

function readDays(day: string, at: string): Start | string | undefined {
  if (everyDay.test(day)) return { kind: 'day', at };
  if (workdays.test(day)) return { kind: 'week', days: weekdays.slice(0, 5), at };
  if (weekend.test(day)) return { kind: 'week', days: weekdays.slice(5), at };
  const [, rare] = unsupported.exec(day) ?? [];
  if (rare !== undefined)
    return `"${rare}" isn't supported. Give days of the week or month, such as every sat ${at} or monthly 1 ${at}`;
  if (weekly.test(day)) return `Say on which day, such as weekly mon ${at}`;
  const month = monthly.exec(day);
  if (month) return readDayOfMonth(month[1] ?? '1', at);
  const [, named = /days$/.test(day) ? day : undefined] = repeatedDays.exec(day) ?? [];
  if (named !== undefined) {
    const days = parseDays(named);
    return days
      ? { kind: 'week', days, at }
      : `"${named}" isn't a day of the week. Give days such as every mon thu ${at}`;
  }
  return readOneDay(day, at);
}

/** Reads a single day: a date, `tomorrow`, `next sat`. */
function readOneDay(day: string, at: string): Start | string | undefined {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(day);
  if (isDate && !existsDate(day)) return `There is no ${day}: that month is shorter. Check the date`;
  if (day === '' || isDate || /^(?:today|tonight|tomorrow)$/.test(day)) return { kind: 'on', day, at };
  const [, nearness, dayNames = day] = /^(?:(next|this) )?(.+)$/.exec(day) ?? [];
  const days = parseDays(dayNames);
  if (!days) return undefined;
  const [only, ...others] = days;
  return only && others.length === 0
    ? { kind: 'on', day: only, at, ...((nearness === 'next' || nearness === 'this') && { nearness }) }
    : `To repeat on several days, say every ${dayNames} ${at}`;
}

function readDayOfMonth(typed: string, at: string): Start | string {
  const day =
    typed === 'last' || typed === 'last day' ? 31 : Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(typed)?.[1]);
  return day >= 1 && day <= 31
    ? { kind: 'month', day, at }
    : `"${typed}" isn't a day of the month. Give one from 1 to 31, such as monthly 1 ${at}`;
}

function existsDate(date: string): boolean {
  const atMs = Date.parse(`${date}T00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date);
}

/** Reads `every 30 min`, `every 2h`, `every hour` as a cron expression. */
function readInterval(text: string): Start | string | undefined {
  const [, count = '1', unit] = interval.exec(text) ?? [];
  const ms = unit === undefined ? undefined : parseDurationMs(`${count}${unit}`);
  if (ms === undefined || ms >= dayMs) return undefined;
  const [minutes, hours] = [ms / minuteMs, ms / hourMs];
  if (hours === 1) return { kind: 'cron', expression: '0 * * * *' };
  if (minutes >= 1 && 60 % minutes === 0) return { kind: 'cron', expression: `*/${minutes} * * * *` };
  if (Number.isInteger(hours) && 24 % hours === 0) return { kind: 'cron', expression: `0 */${hours} * * *` };
  return 'An interval must divide the hour or the day, such as every 30 min or every 6h';
}

/** Asks for the missing time of day. Returns undefined if the text names no day. */
function explainWithoutTime(text: string): string | undefined {
  if (weekly.test(text)) return 'Say on which day and at what time, such as weekly mon 09:00';
  const bare = /\bmonth/.test(text) ? text : text.replace(/ \d{1,2}$/, '');
  if (bare === '' || !isDay(bare)) return undefined;
  return `Give a time of day too, such as ${bare} ${/night/.test(bare) ? '03:00' : '09:00'}`;
}

const cronParts = ['minute', 'hour', 'day', 'month', 'weekday'] as const;
const cronExample = 'Example: cron 0 9 * * 1-5';

function readCron(expression: string): Start | string {
  const isNickname = expression.startsWith('@');
  const words = expression.split(' ').filter((word) => word !== '');
  if (!isNickname && words.length !== cronParts.length)
    return `A cron expression has five parts (minute, hour, day, month, weekday), not ${words.length}. ${cronExample}`;
  if (isCron(expression)) return { kind: 'cron', expression };
  const wrong = isNickname
    ? -1
    : words.findIndex(
        (word, index) => !isCron(cronParts.map((_, other) => (other === index ? word : '*')).join(' ')),
      );
  return wrong < 0
    ? `"${expression}" isn't a cron expression. ${cronExample}`
    : `"${words[wrong]}" isn't a valid ${cronParts[wrong]} in a cron expression. ${cronExample}`;
}

function isCron(expression: string): boolean {
  try {
    new Cron(expression, { timezone: 'UTC', mode: '5-part' });
    return true;
  } catch {
    return false;
  }
}

function planOnce(
  start: SingleStart,
  ends: Ends | undefined,
  { zone, nowMs, keptStartMs }: ParseWhenOptions,
): ParsedWhen {
  const clock = createWallClock(zone);
  if (start.kind === 'now' && !ends)
    return invalid(
      'Give a later time, such as in 2h or tomorrow 03:00. To do it now, run the command itself',
    );
  const found = findStart(start, clock, nowMs, toEndText(ends));
  if (typeof found === 'string') return invalid(found);
  const lengthMs = ends && lengthOf(ends, found.atMs, found.wallMs, clock);
  const isKept =
    keptStartMs !== undefined &&
    Math.floor(keptStartMs / minuteMs) === Math.floor(found.atMs / minuteMs) &&
    keptStartMs + (lengthMs ?? 0) > nowMs;
  if (isKept) return planPeriod(keptStartMs, lengthMs, zone);
  const { atMs } = found;
  if (atMs < nowMs || (atMs === nowMs && !ends))
    return invalid(explainPast(start, ends, atMs + (lengthMs ?? 0) > nowMs));
  if (atMs > nowMs + maxAheadMs) return invalid('Give a time within the next year');
  return planPeriod(atMs, lengthMs, zone);
}

function planPeriod(atMs: number, lengthMs: number | undefined, zone: string): ParsedWhen {
  const once = { kind: 'once', atMs, zone } as const;
  return lengthMs === undefined
    ? { kind: 'valid', when: once }
    : (findLengthProblem(lengthMs) ?? { kind: 'valid', when: { ...once, ends: { afterMs: lengthMs } } });
}

type WallClock = ReturnType<typeof createWallClock>;

function findStart(
  start: SingleStart,
  { wallMsAt, firstMsAt }: WallClock,
  nowMs: number,
  endText: string,
): { readonly atMs: number; readonly wallMs: number } | string {
  const toFound = (atMs: number) => ({ atMs, wallMs: wallMsAt(atMs) });
  if (start.kind === 'now') return toFound(nowMs);
  if (start.kind === 'in') return toFound(Math.ceil((nowMs + start.ms) / minuteMs) * minuteMs);
  if (start.kind === 'instant') return toFound(start.atMs);
  const { day, at } = start;
  const nowWallMs = wallMsAt(nowMs);
  const [todayMs, ofDayMs] = [Math.floor(nowWallMs / dayMs) * dayMs, msAfterMidnight(at)];
  if (day === 'tonight' && ofDayMs >= 6 * hourMs && ofDayMs < 18 * hourMs)
    return `Tonight is from 18:00 to 06:00: say "today ${at}${endText}" or "tomorrow ${at}${endText}"`;
  const isNextNight = ofDayMs < 12 * hourMs && nowWallMs - todayMs >= ofDayMs;
  const dates = findDates(day, todayMs, isNextNight).filter(
    (dateMs) =>
      !(start.nearness === 'next' && dateMs === todayMs) &&
      !(start.nearness === 'this' && dateMs === todayMs + 7 * dayMs),
  );
  const walls = dates.map((dateMs) => dateMs + ofDayMs);
  const wallMs = walls.find((one) => firstMsAt(one) > nowMs) ?? walls.at(-1) ?? 0;
  return { atMs: firstMsAt(wallMs), wallMs };
}

/** Returns the dates that `day` can mean, as wall-clock midnights, in order. */
function findDates(day: string, todayMs: number, isNextNight: boolean): readonly number[] {
  const tomorrowMs = todayMs + dayMs;
  if (day === '') return [todayMs, tomorrowMs];
  if (day === 'today') return [todayMs];
  if (day === 'tonight') return [isNextNight ? tomorrowMs : todayMs];
  if (day === 'tomorrow') return [tomorrowMs];
  if (/^\d/.test(day)) return [Date.parse(`${day}T00:00Z`)];
  const week = Array.from({ length: 8 }, (_, index) => todayMs + index * dayMs);
  return week.filter((dateMs) => weekdayOf(dateMs) === day);
}

/** Returns how long a period lasts, in elapsed ms. */
function lengthOf(ends: Ends, atMs: number, wallMs: number, { firstMsAt }: WallClock): number {
  if ('afterMs' in ends) return ends.afterMs;
  const shownMs = (msAfterMidnight(ends.at) - (wallMs % dayMs) + dayMs) % dayMs || dayMs;
  const lengthMs = firstMsAt(wallMs + shownMs) - atMs;
  // If a clock change skips the whole period, the period keeps its length.
  return lengthMs > 0 ? lengthMs : shownMs;
}

function explainPast(start: Start, ends: Ends | undefined, isRunning: boolean): string {
  const passed = 'That time has passed';
  if (isRunning && ends && 'at' in ends) return `${passed}. To begin now, say "now until ${ends.at}"`;
  return start.kind === 'on'
    ? `${passed}. Say "tomorrow ${start.at}${toEndText(ends)}", or give a later date`
    : passed;
}

function checkRepeated(when: When, nowMs: number): ParsedWhen {
  if (nextTimeAfter(when, nowMs) === undefined)
    return invalid('No such date exists, so this would never happen');
  const intervalMs = shortestIntervalMs(when);
  if (intervalMs !== undefined && intervalMs < minIntervalMs)
    return invalid('The shortest interval is 15 minutes');
  if (!when.ends) return { kind: 'valid', when };
  if (neverEnds(when, nowMs))
    return invalid(
      'This would never end, because it begins again as soon as it ends. Pause the watch instead',
    );
  const lengthMs = 'afterMs' in when.ends ? when.ends.afterMs : lengthUntil(when, when.ends.at, nowMs);
  return findLengthProblem(lengthMs) ?? { kind: 'valid', when };
}

function lengthUntil(when: When, until: string, nowMs: number): number {
  if ('at' in when) return (msAfterMidnight(until) - msAfterMidnight(when.at) + dayMs) % dayMs || dayMs;
  const next = nextPeriod(when, nowMs);
  return next ? next.untilMs - next.fromMs : 0;
}

function findLengthProblem(lengthMs: number): ParsedWhen | undefined {
  if (lengthMs < minPeriodMs) return invalid('A period must last at least 5 minutes');
  if (lengthMs > maxPeriodMs) return invalid('A period can last at most 7 days. For more, pause the watch');
  return undefined;
}

function invalid(message: string): ParsedWhen {
  return { kind: 'invalid', message };
}

/** Maximum number of words in a WHEN, enough for `every` with all days of the week. */
const maxWords = 12;

/**
 * Splits `reboot web-01 tomorrow 03:00` into the act and the WHEN: the longest suffix of two or more words that
 * is a WHEN. If there is none, takes a suffix that looks like a WHEN, so the error can say what's wrong.
 */
export function splitWhen(text: string): { readonly act: string; readonly when: string } {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const ends = words.map((_, index) => words.slice(index)).slice(Math.max(1, words.length - maxWords));
  const when =
    ends.find((end) => end.length > 1 && (isWhen(end) || isRefusedWhen(end))) ??
    ends.find(
      ([first = '', ...rest]) => looksLikeWhen.test(first) && (rest.length > 0 || aloneOnlyWhen.test(first)),
    ) ??
    ends.find(isWhen) ??
    [];
  const act = words.slice(0, words.length - when.length);
  const isOnOfWhen =
    when.length > 0 &&
    act.at(-1)?.toLowerCase() === 'on' &&
    act[0]?.toLowerCase() !== 'action' &&
    !act.at(-2)?.startsWith('--');
  return { act: (isOnOfWhen ? act.slice(0, -1) : act).join(' '), when: when.join(' ') };
}

/** Matches the first word of a WHEN. */
const looksLikeWhen =
  /^(?:every|each|daily|nightly|weekly|weekdays|monthly|tonight|tomorrow|today|cron|in)$/i;
const aloneOnlyWhen = /^(?:tonight|tomorrow|today)$/i;
const looksLikeRefused =
  /^(?:every|each|weekly|monthly|next|this|cron|fortnightly|bi-?weekly|quarterly|yearly|annually)$/i;

function isWhen(end: readonly string[]): boolean {
  const [first = '', ...rest] = end;
  // The act can end in "on" or in a number, such as a port.
  return (
    first !== 'on' &&
    !(rest.length > 0 && /^\d{4}$/.test(first)) &&
    typeof readPhrase(end.join(' ')) === 'object'
  );
}

/** Returns whether the words are an invalid WHEN that can be explained, rather than a name followed by a WHEN. */
function isRefusedWhen([first = '', ...rest]: readonly string[]): boolean {
  const isDayOfWeek = parseDays(first) !== undefined;
  if (!isDayOfWeek && !looksLikeRefused.test(first)) return false;
  if (typeof readPhrase([first, ...rest].join(' ')) !== 'string') return false;
  const [second = ''] = rest;
  return isDayOfWeek || parseDays(second) !== undefined || rest.length === 1 || !isWhen(rest);
}

/** Formats a WHEN in a form that `parseWhen` reads the same way at any later time. */
export function toWhenText(when: When): string {
  const start = toStartText(when);
  return when.kind === 'cron' && when.ends && 'at' in when.ends
    ? `${start} until ${when.ends.at}`
    : `${start}${toEndText(when.ends)}`;
}

function toStartText(when: When): string {
  switch (when.kind) {
    case 'once': {
      const { wallMsAt, firstMsAt } = createWallClock(when.zone);
      const wallMs = wallMsAt(when.atMs);
      const isRepeated = firstMsAt(wallMs) !== when.atMs;
      const shown = new Date(isRepeated ? when.atMs : wallMs).toISOString();
      return `${shown.slice(0, 10)} ${shown.slice(11, 16)}${isRepeated ? 'Z' : ''}`;
    }
    case 'day':
      return `daily ${when.at}`;
    case 'week':
      return `every ${toDaysText(when.days)} ${when.at}`;
    case 'month':
      return `monthly ${when.day} ${when.at}`;
    case 'cron':
      return `cron ${when.expression}`;
  }
}

function toEndText(ends: Ends | undefined): string {
  if (!ends) return '';
  return 'at' in ends ? `-${ends.at}` : ` for ${toDurationText(ends.afterMs)}`;
}
