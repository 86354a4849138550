import { Cron } from 'croner';
import { RackhandError } from '../errors.ts';
import { quietHoursEndMs } from './quiet-hours.ts';
import { dayMs } from './units.ts';
import { createWallClock } from './wall-clock.ts';
import { weekdays } from './weekday.ts';
import type { When } from './when.ts';

const secondMs = 1000;
const quarterHourMs = 15 * 60_000;

/** Maximum number of consecutive times in quiet hours before the search gives up: almost three years of daily times. */
const maxQuiet = 1000;

/**
 * How many of a cron expression's times are compared: enough to cover more than a day at the shortest allowed
 * interval, and half a year or more at daily or longer intervals.
 */
const maxCompared = 200;

export interface ScheduledTime {
  readonly atMs: number;
  /** The intended wall-clock time. A clock change can skip it. */
  readonly wallMs: number;
}

export interface Timetable {
  /** Returns the first time after `afterMs`, or undefined if there is none. */
  after(afterMs: number): ScheduledTime | undefined;
}

/**
 * Creates a WHEN's timetable. A time of day skipped by a clock change moves to the end of the gap, and a
 * repeated one counts once. Hourly or shorter intervals stay the same. Throws `input_invalid` if this machine
 * doesn't know the time zone or can't parse the cron expression.
 */
export function createTimetable(when: When): Timetable {
  const { clock, findNext } = compile(when);
  const { quiet = [] } = when;

  return {
    after(afterMs) {
      let lastMs = afterMs;
      for (let passed = 0; passed < maxQuiet; passed += 1) {
        const next = findNext(lastMs);
        const quietEndMs = next && quietHoursEndMs(quiet, clock.wallMsAt(next.atMs));
        if (!next || quietEndMs === undefined) return next;
        lastMs = Math.max(next.atMs, clock.firstMsAt(quietEndMs) - secondMs);
      }
      return undefined;
    },
  };
}

function compile(when: When): { readonly clock: WallClock; readonly findNext: FindNext } {
  try {
    const clock = createWallClock(when.zone);
    return { clock, findNext: timesOf(when, clock) };
  } catch (cause) {
    const words = `These times, or their time zone ${when.zone}, can't be read.`;
    throw new RackhandError('input_invalid', words, { cause });
  }
}

type FindNext = (afterMs: number) => ScheduledTime | undefined;

type WallClock = ReturnType<typeof createWallClock>;

function timesOf(when: When, clock: WallClock): FindNext {
  if (when.kind === 'once') {
    const { atMs } = when;
    return (afterMs) => (atMs > afterMs ? { atMs, wallMs: clock.wallMsAt(atMs) } : undefined);
  }
  const nextWallMs = wallClockTimes(toCronExpressions(when));
  return when.kind === 'cron' && isInterval(when.expression)
    ? timesByInterval(nextWallMs, clock)
    : timesByClock(nextWallMs, clock);
}

/** Finds each wall-clock time once: when the clock first shows the time or, if skipped, at the end of the gap. */
function timesByClock(nextWallMs: NextWallMs, { wallMsAt, firstMsAt }: WallClock): FindNext {
  return (afterMs) => {
    for (let wallMs = nextWallMs(wallMsAt(afterMs)); wallMs !== undefined; wallMs = nextWallMs(wallMs)) {
      const atMs = firstMsAt(wallMs);
      if (atMs > afterMs) return { atMs, wallMs };
    }
    return undefined;
  };
}

/** Finds every moment at which the clock shows one of the times, so that clock changes don't affect the interval. */
function timesByInterval(nextWallMs: NextWallMs, { wallMsAt, nextChangeMs }: WallClock): FindNext {
  return (afterMs) => {
    for (let [fromMs, fromWallMs] = [afterMs, wallMsAt(afterMs)]; ; ) {
      const wallMs = nextWallMs(fromWallMs);
      if (wallMs === undefined) return undefined;
      const atMs = fromMs + wallMs - fromWallMs;
      const changeMs = wallMsAt(atMs) === wallMs ? undefined : nextChangeMs(fromMs);
      if (changeMs === undefined) return { atMs, wallMs };
      // Continues with the offset that applies after the clock change.
      [fromMs, fromWallMs] = [changeMs - secondMs, wallMsAt(changeMs) - secondMs];
    }
  };
}

/** Returns whether a cron expression repeats hourly or more often, such as every 30 min. */
function isInterval(expression: string): boolean {
  const [minute = '', hour] = expression.split(/\s+/);
  return expression.toLowerCase() === '@hourly' || minute.startsWith('*') || hour === '*';
}

/** Returns the first time after `afterMs`, in epoch ms, or undefined if there is none. */
export function nextTimeAfter(when: When, afterMs: number): number | undefined {
  return createTimetable(when).after(afterMs)?.atMs;
}

export function nextThreeTimes(when: When, afterMs: number): readonly ScheduledTime[] {
  const timetable = createTimetable(when);
  const times: ScheduledTime[] = [];
  for (let last = afterMs; times.length < 3; ) {
    const next = timetable.after(last);
    if (!next) break;
    times.push(next);
    last = next.atMs;
  }
  return times;
}

/**
 * Returns the timetable's last time at or before `untilMs`, or `knownMs` if there is none after `knownMs`.
 * `knownMs` must be in the timetable.
 */
export function lastTimeUntil(timetable: Timetable, untilMs: number, knownMs: number): number {
  for (let backMs = quarterHourMs; untilMs - backMs > knownMs; backMs *= 4) {
    const found = timetable.after(untilMs - backMs);
    if (found && found.atMs <= untilMs) return lastFrom(timetable, found.atMs, untilMs);
  }
  return lastFrom(timetable, knownMs, untilMs);
}

function lastFrom(timetable: Timetable, fromMs: number, untilMs: number): number {
  for (let last = fromMs; ; ) {
    const next = timetable.after(last);
    if (!next || next.atMs > untilMs) return last;
    last = next.atMs;
  }
}

/** Returns the shortest interval between two times, in ms, or undefined for a single time. Ignores clock changes. */
export function shortestIntervalMs(when: When): number | undefined {
  switch (when.kind) {
    case 'once':
      return undefined;
    case 'day':
      return dayMs;
    case 'week':
      return shortestGapDays(when.days.map((day) => weekdays.indexOf(day))) * dayMs;
    case 'month':
      return 28 * dayMs;
    case 'cron':
      return shortestCronIntervalMs(when.expression);
  }
}

function shortestGapDays(days: readonly number[]): number {
  const gaps = days.flatMap((day) => days.map((other) => (other - day + 7) % 7 || 7));
  return Math.min(...gaps);
}

function shortestCronIntervalMs(expression: string): number | undefined {
  if (!shortestIntervals.has(expression)) {
    if (shortestIntervals.size >= maxRemembered) shortestIntervals.clear();
    shortestIntervals.set(expression, compareCronTimes(expression));
  }
  return shortestIntervals.get(expression);
}

/** Cached by cron expression, because comparing the times takes milliseconds and every estimate needs the result. */
const shortestIntervals = new Map<string, number | undefined>();
const maxRemembered = 1_000;

function compareCronTimes(expression: string): number | undefined {
  const nextWallMs = wallClockTimes([expression]);
  let shortest: number | undefined;
  let last = nextWallMs(0);
  for (let compared = 0; compared < maxCompared && last !== undefined; compared += 1) {
    const next = nextWallMs(last);
    if (next !== undefined) shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, next - last);
    last = next;
  }
  return shortest;
}

type NextWallMs = (afterWallMs: number) => number | undefined;

/**
 * Returns a function that finds the next wall-clock time. Croner runs in UTC, because it loses or repeats times around
 * clock changes.
 */
function wallClockTimes(expressions: readonly string[]): NextWallMs {
  const patterns = expressions.map((expression) => new Cron(expression, { timezone: 'UTC', mode: '5-part' }));
  return (afterWallMs) => {
    const after = new Date(afterWallMs);
    const times = patterns.flatMap((pattern) => pattern.nextRun(after)?.getTime() ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  };
}

/** Returns cron expressions that together cover all of the times. */
function toCronExpressions(when: Exclude<When, { kind: 'once' }>): readonly string[] {
  if (when.kind === 'cron') return [when.expression];
  const [hour = 0, minute = 0] = when.at.split(':').map(Number);
  const at = `${minute} ${hour}`;
  switch (when.kind) {
    case 'day':
      return [`${at} * * *`];
    case 'week':
      return [`${at} * * ${when.days.join(',')}`];
    case 'month':
      return toCronDays(when.day).map((days) => `${at} ${days} *`);
  }
}

/** Returns the day and month fields of cron expressions for a day of the month, or the last day of shorter months. */
function toCronDays(day: number): readonly string[] {
  if (day === 31) return ['L *'];
  return day > 28 ? [`${day} 1,3-12`, 'L 2'] : [`${day} *`];
}
