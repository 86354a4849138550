import { Cron } from 'croner';
import type { FieldProblem } from '../../operations/input.ts';
import { readQuiet } from './read-quiet.ts';
import { everies, type Recurrence } from './recurrence.ts';
import { readTimeOfDay } from './time-of-day.ts';
import { nextAfter, shortestIntervalMs } from './timetable.ts';
import { readDays } from './weekday.ts';
import { nearestZone, readZone } from './zone.ts';

/** Shortest time between two reports. */
const shortestMs = 15 * 60_000;

/** What a person wrote or chose; a field that was left out is `undefined` or empty. */
export interface WrittenRecurrence {
  readonly every?: string | undefined;
  readonly at?: string | undefined;
  readonly days?: string | undefined;
  readonly day?: string | undefined;
  readonly cron?: string | undefined;
  readonly zone?: string | undefined;
  readonly quiet?: string | undefined;
}

export type ReadRecurrence =
  | { readonly ok: true; readonly recurrence: Recurrence }
  /** Each beside its field. */
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

type Fields = { readonly [K in keyof WrittenRecurrence]-?: string };

/** Collects what is wrong; gives `undefined` so that reading can go on with the next field. */
type Complain = (path: keyof WrittenRecurrence, message: string) => undefined;

/** Reads when a report is to come, and tells every field that is wrong; `nowMs` decides whether any time is left to come. */
export function readRecurrence(written: WrittenRecurrence, nowMs: number): ReadRecurrence {
  const problems: FieldProblem[] = [];
  const complain: Complain = (path, message) => void problems.push({ path, message });
  const fields: Fields = {
    every: (written.every ?? '').trim().toLowerCase(),
    at: (written.at ?? '').trim(),
    days: (written.days ?? '').trim(),
    day: (written.day ?? '').trim(),
    cron: (written.cron ?? '').trim(),
    zone: (written.zone ?? '').trim(),
    quiet: (written.quiet ?? '').trim(),
  };
  const times = timesOf(fields, complain);
  const zone = zoneOf(fields.zone, complain);
  const quiet =
    readQuiet(fields.quiet) ??
    complain('quiet', 'Quiet times look like 22:00-07:00, or 22:00-07:00 mon-fri, sat sun');
  if (!times || !zone || !quiet) return { ok: false, problems };

  const recurrence = { ...times, zone, quiet };
  if (nextAfter({ ...recurrence, quiet: [] }, nowMs) === undefined) {
    complain('cron', 'This never comes: no date is like that');
  } else if ((shortestIntervalMs(recurrence) ?? shortestMs) < shortestMs) {
    complain('cron', 'This comes more often than every 15 minutes, which is the most that a report may');
  } else if (nextAfter(recurrence, nowMs) === undefined) {
    complain('quiet', 'All times of this report are in its quiet times, so it would never come');
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, recurrence };
}

type Times = Recurrence extends infer R ? (R extends Recurrence ? Omit<R, 'zone' | 'quiet'> : never) : never;

function timesOf(fields: Fields, complain: Complain): Times | undefined {
  const every = everyOf(fields);
  if (!every) return complain('every', 'Say how often: day, weekday, week, month or cron');
  if (every === 'cron') {
    const problem = cronProblem(fields.cron);
    return problem === undefined ? { every, expression: fields.cron } : complain('cron', problem);
  }
  const at =
    readTimeOfDay(fields.at) ??
    complain('at', 'A time is hours and minutes from 00:00 to 23:59, as in 09:00');
  const which = whichOf(every, fields, complain);
  return at && which ? { ...which, at } : undefined;
}

type Which = Times extends infer T ? (T extends { at: string } ? Omit<T, 'at'> : never) : never;

function whichOf(every: Which['every'], { days, day }: Fields, complain: Complain): Which | undefined {
  if (every === 'week') {
    const read = readDays(days) ?? complain('days', 'Name days of the week, as in mon thu, or mon-fri');
    return read && { every, days: read };
  }
  if (every === 'month') {
    const read = /^\d{1,2}$/.test(day) ? Number(day) : 0;
    if (read < 1 || read > 31) return complain('day', 'A day of the month is a number from 1 to 31');
    return { every, day: read };
  }
  return { every };
}

const synonyms: Readonly<Record<string, Recurrence['every']>> = {
  daily: 'day',
  weekdays: 'weekday',
  weekly: 'week',
  monthly: 'month',
};

/** Where it is not said how often, what was given says it. */
function everyOf({ every, cron, days, day }: Fields): Recurrence['every'] | undefined {
  if (every !== '') return everies.find((one) => one === every) ?? synonyms[every];
  if (cron !== '') return 'cron';
  if (days !== '') return 'week';
  return day === '' ? 'day' : 'month';
}

const parts = ['minute', 'hour', 'day', 'month', 'weekday'] as const;

/** Says in a sentence why an expression is not understood; nothing where it is. */
function cronProblem(expression: string): string | undefined {
  const isNickname = expression.startsWith('@');
  const count = expression === '' ? 0 : expression.split(/\s+/).length;
  if (!isNickname && count !== parts.length) {
    return `A cron expression has five parts (minute, hour, day, month, weekday), as in 0 9 * * 1-5: this has ${count}`;
  }
  try {
    new Cron(expression, { timezone: 'UTC', mode: '5-part' });
    return undefined;
  } catch {
    const wrong = isNickname ? undefined : wrongPart(expression);
    return wrong ?? 'This is not a cron expression, such as 0 9 * * 1-5';
  }
}

/** Finds the part that is wrong by itself. */
function wrongPart(expression: string): string | undefined {
  const words = expression.split(/\s+/);
  const index = words.findIndex((word, place) => {
    const alone = parts.map((_, other) => (other === place ? word : '*')).join(' ');
    try {
      new Cron(alone, { timezone: 'UTC', mode: '5-part' });
      return false;
    } catch {
      return true;
    }
  });
  const name = parts[index];
  return name && `Cron does not understand “${words[index]}” as its ${name}; an example is 0 9 * * 1-5`;
}

function zoneOf(written: string, complain: Complain): string | undefined {
  const zone = readZone(written);
  if (zone) return zone;
  const meant = nearestZone(written);
  const guess = meant ? `: did you mean ${meant}?` : ', such as Europe/Berlin or America/New_York';
  return complain(
    'zone',
    written === '' ? `Name a time zone${guess}` : `“${written}” is no time zone${guess}`,
  );
}
