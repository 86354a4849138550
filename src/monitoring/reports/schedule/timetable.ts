import { Cron } from 'croner';
import { RackhandError } from '../../../errors.ts';
import { createWallClock } from '../../../time/wall-clock.ts';
import { quietHoursEndMs } from '../../shared/time/quiet-hours.ts';
import type { Recurrence } from './recurrence.ts';

const secondMs = 1000;
const quarterHourMs = 15 * 60_000;

/**
 * If this many times in a row are skipped (repeated hours, quiet hours), the recurrence counts as
 * having no more times. For a daily recurrence, that is almost three years.
 */
const maxSkipped = 1000;

/**
 * How many times are compared. They cover more than a day at the shortest allowed interval, and
 * half a year or more at daily or longer intervals.
 */
const maxCompared = 200;

/** One time of a recurrence. */
export interface ScheduledTime {
  readonly atMs: number;
  /** The intended wall-clock time. A clock change can skip it. */
  readonly wallMs: number;
}

/** The times of a recurrence. */
export interface Timetable {
  /** Returns the first time after `afterMs`, or undefined if there is none. */
  after(afterMs: number): ScheduledTime | undefined;
}

/**
 * Creates the timetable of a recurrence. Throws `input_invalid` if this machine doesn't know its
 * time zone or can't parse its expression.
 */
export function createTimetable(recurrence: Recurrence): Timetable {
  const { wallMsAt, firstMsAt, nextWallMs } = compileRecurrence(recurrence);

  return {
    after(afterMs) {
      let wallMs = nextWallMs(wallMsAt(afterMs));
      for (let passed = 0; passed < maxSkipped && wallMs !== undefined; passed += 1) {
        const atMs = firstMsAt(wallMs);
        const quietEndMs = quietHoursEndMs(recurrence.quiet, wallMsAt(atMs));
        if (atMs > afterMs && quietEndMs === undefined) return { atMs, wallMs };
        wallMs = nextWallMs(Math.max(wallMs, (quietEndMs ?? 0) - secondMs));
      }
      return undefined;
    },
  };
}

function compileRecurrence(recurrence: Recurrence) {
  try {
    return { ...createWallClock(recurrence.zone), nextWallMs: wallClockTimes(toCronExpressions(recurrence)) };
  } catch (cause) {
    const words = `This schedule, or its time zone ${recurrence.zone}, can't be read.`;
    throw new RackhandError('input_invalid', words, { cause });
  }
}

/**
 * Returns the first time of a recurrence after `afterMs`, in epoch ms. Returns undefined if there
 * is none.
 */
export function nextTimeAfter(recurrence: Recurrence, afterMs: number): number | undefined {
  return createTimetable(recurrence).after(afterMs)?.atMs;
}

/** Returns the first three times after `afterMs`. */
export function nextThreeTimes(recurrence: Recurrence, afterMs: number): readonly ScheduledTime[] {
  const timetable = createTimetable(recurrence);
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
 * Returns the last time at or before `untilMs`, or `knownMs` if there is none after that. `knownMs`
 * must be a time of the timetable.
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

/**
 * Returns the shortest interval between two times, in ms. Ignores clock changes. Returns undefined
 * if there are fewer than two times.
 */
export function shortestIntervalMs(recurrence: Recurrence): number | undefined {
  const expressions = toCronExpressions(recurrence);
  const key = expressions.join();
  if (!shortestIntervals.has(key)) {
    if (shortestIntervals.size >= maxRemembered) shortestIntervals.clear();
    shortestIntervals.set(key, findShortestIntervalMs(expressions));
  }
  return shortestIntervals.get(key);
}

/**
 * Results by cron expressions, cached because comparing the times takes milliseconds and every
 * estimate needs them.
 */
const shortestIntervals = new Map<string, number | undefined>();
const maxRemembered = 1_000;

function findShortestIntervalMs(expressions: readonly string[]): number | undefined {
  const nextWallMs = wallClockTimes(expressions);
  let shortest: number | undefined;
  let last = nextWallMs(0);
  for (let compared = 0; compared < maxCompared && last !== undefined; compared += 1) {
    const next = nextWallMs(last);
    if (next !== undefined) shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, next - last);
    last = next;
  }
  return shortest;
}

/**
 * Returns a function that finds the next wall-clock time. Croner runs without clock changes,
 * because with them it loses times in a gap and repeats others.
 */
function wallClockTimes(expressions: readonly string[]): (afterWallMs: number) => number | undefined {
  const patterns = expressions.map((expression) => new Cron(expression, { timezone: 'UTC', mode: '5-part' }));
  return (afterWallMs) => {
    const after = new Date(afterWallMs);
    const times = patterns.flatMap((pattern) => pattern.nextRun(after)?.getTime() ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  };
}

/** Returns cron expressions that produce the recurrence's times together. */
function toCronExpressions(recurrence: Recurrence): readonly string[] {
  if (recurrence.every === 'cron') return [recurrence.expression];
  const [hour = 0, minute = 0] = recurrence.at.split(':').map(Number);
  const at = `${minute} ${hour}`;
  switch (recurrence.every) {
    case 'day':
      return [`${at} * * *`];
    case 'weekday':
      return [`${at} * * mon-fri`];
    case 'week':
      return [`${at} * * ${recurrence.days.join(',')}`];
    case 'month':
      return toCronDays(recurrence.day).map((days) => `${at} ${days} *`);
  }
}

/**
 * Returns the day and month fields of cron expressions for a day of the month. In shorter months,
 * the last day is used.
 */
function toCronDays(day: number): readonly string[] {
  if (day === 31) return ['L *'];
  return day > 28 ? [`${day} 1,3-12`, 'L 2'] : [`${day} *`];
}
