import { Cron } from 'croner';
import { RackhandError } from '../../error.ts';
import { quietUntil } from './quiet.ts';
import type { Recurrence } from './recurrence.ts';
import { createZone } from './zone.ts';

const secondMs = 1000;
const quarterHourMs = 15 * 60_000;

/** Times that are passed over, in the repeated hour and in quiet windows, before a recurrence is taken never to come: some years of a daily one. */
const mostPassedOver = 1000;

/** More than a day of the densest recurrence that is allowed, and years of any other. */
const mostCompared = 200;

/** One time of a recurrence. */
export interface Occurrence {
  readonly atMs: number;
  /** What the clock on the wall should have shown: with a clock change it may never show it. */
  readonly wallMs: number;
}

/** The times of a recurrence. */
export interface Timetable {
  /** Gives the first time after a moment; `undefined` where there is none. */
  after(afterMs: number): Occurrence | undefined;
}

/** Creates the timetable of a recurrence. Throws `input_invalid` where its zone or its expression is not understood on this machine. */
export function createTimetable(recurrence: Recurrence): Timetable {
  const { wallMsAt, firstMsAt, nextWallMs } = understand(recurrence);

  return {
    after(afterMs) {
      let wallMs = nextWallMs(wallMsAt(afterMs));
      for (let passed = 0; passed < mostPassedOver && wallMs !== undefined; passed += 1) {
        const atMs = firstMsAt(wallMs);
        const quietEndMs = quietUntil(recurrence.quiet, wallMsAt(atMs));
        if (atMs > afterMs && quietEndMs === undefined) return { atMs, wallMs };
        wallMs = nextWallMs(Math.max(wallMs, (quietEndMs ?? 0) - secondMs));
      }
      return undefined;
    },
  };
}

function understand(recurrence: Recurrence) {
  try {
    return { ...createZone(recurrence.zone), nextWallMs: wallTimes(recurrence) };
  } catch (cause) {
    const words = `The times of this schedule, or its zone ${recurrence.zone}, are not understood.`;
    throw new RackhandError('input_invalid', words, { cause });
  }
}

/** Gives the first time of a recurrence after a moment, in epoch ms; `undefined` where there is none. */
export function nextAfter(recurrence: Recurrence, afterMs: number): number | undefined {
  return createTimetable(recurrence).after(afterMs)?.atMs;
}

/** Gives the first three times of a recurrence after a moment. */
export function nextThree(recurrence: Recurrence, afterMs: number): readonly Occurrence[] {
  const timetable = createTimetable(recurrence);
  const times: Occurrence[] = [];
  for (let last = afterMs; times.length < 3; ) {
    const next = timetable.after(last);
    if (!next) break;
    times.push(next);
    last = next.atMs;
  }
  return times;
}

/** Gives the last time of a recurrence until a moment, where one of its times is known to be before that. */
export function latestUntil(timetable: Timetable, untilMs: number, knownMs: number): number {
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

/** Gives the shortest time between two times of a recurrence, in ms, clock changes aside; `undefined` where it comes less than twice. */
export function shortestIntervalMs(recurrence: Recurrence): number | undefined {
  const nextWallMs = wallTimes(recurrence);
  let shortest: number | undefined;
  let last = nextWallMs(0);
  for (let compared = 0; compared < mostCompared && last !== undefined; compared += 1) {
    const next = nextWallMs(last);
    if (next !== undefined) shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, next - last);
    last = next;
  }
  return shortest;
}

/**
 * Gives what a wall clock shows at the first time after it shows something. Croner counts on a wall without clock changes: with them it loses the times
 * of lists and steps in a gap, and repeats others.
 */
function wallTimes(recurrence: Recurrence): (afterWallMs: number) => number | undefined {
  const patterns = expressionsOf(recurrence).map(
    (expression) => new Cron(expression, { timezone: 'UTC', mode: '5-part' }),
  );
  return (afterWallMs) => {
    const after = new Date(afterWallMs);
    const times = patterns.flatMap((pattern) => pattern.nextRun(after)?.getTime() ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  };
}

/** The cron expressions whose times together are those of a recurrence. */
function expressionsOf(recurrence: Recurrence): readonly string[] {
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
      return daysOfMonth(recurrence.day).map((days) => `${at} ${days} *`);
  }
}

/** The last day of a month that is too short stands for those that it lacks. */
function daysOfMonth(day: number): readonly string[] {
  if (day === 31) return ['L *'];
  return day > 28 ? [`${day} 1,3-12`, 'L 2'] : [`${day} *`];
}
