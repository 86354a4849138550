import { Cron } from 'croner';
import type { FieldProblem } from '../../../operations/define/arguments/raw-input.ts';
import { parseQuietHours } from '../../shared/time/quiet-hours.ts';
import { parseTimeOfDay } from '../../shared/time/time-of-day.ts';
import { parseTimeZone, suggestTimeZone } from '../../shared/time/time-zone.ts';
import { parseDays } from '../../shared/time/weekday.ts';
import { type Recurrence, recurrenceKinds } from './recurrence.ts';
import { nextTimeAfter, shortestIntervalMs } from './timetable.ts';

/** Minimum interval between two reports. */
const minIntervalMs = 15 * 60_000;

/** Values that were typed or chosen. Missing fields are undefined or empty. */
export interface RecurrenceInput {
  readonly every?: string | undefined;
  readonly at?: string | undefined;
  readonly days?: string | undefined;
  readonly day?: string | undefined;
  readonly cron?: string | undefined;
  readonly zone?: string | undefined;
  readonly quiet?: string | undefined;
}

export type ParseRecurrenceResult =
  | { readonly kind: 'valid'; readonly recurrence: Recurrence }
  /** Each problem names its field. */
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

type Fields = { readonly [K in keyof RecurrenceInput]-?: string };

/** Adds a problem. Returns undefined, so that parsing continues with the next field. */
type AddProblem = (path: keyof RecurrenceInput, message: string) => undefined;

/**
 * Parses a recurrence, or returns all problems by field. A recurrence without an occurrence after
 * `nowMs` is a problem too.
 */
export function parseRecurrence(input: RecurrenceInput, nowMs: number): ParseRecurrenceResult {
  const problems: FieldProblem[] = [];
  const complain: AddProblem = (path, message) => void problems.push({ path, message });
  const fields: Fields = {
    every: (input.every ?? '').trim().toLowerCase(),
    at: (input.at ?? '').trim(),
    days: (input.days ?? '').trim(),
    day: (input.day ?? '').trim(),
    cron: (input.cron ?? '').trim(),
    zone: (input.zone ?? '').trim(),
    quiet: (input.quiet ?? '').trim(),
  };
  const times = parseTimes(fields, complain);
  const zone = parseZoneField(fields.zone, complain);
  const quiet =
    parseQuietHours(fields.quiet) ??
    complain('quiet', 'Give quiet times such as 22:00-07:00, or 22:00-07:00 mon-fri, sat sun');
  if (!times || !zone || !quiet) return { kind: 'invalid', problems };

  const recurrence = { ...times, zone, quiet };
  if (nextTimeAfter({ ...recurrence, quiet: [] }, nowMs) === undefined) {
    complain('cron', 'This schedule never runs: there is no such date');
  } else if ((shortestIntervalMs(recurrence) ?? minIntervalMs) < minIntervalMs) {
    complain('cron', 'The shortest interval is 15 minutes');
  } else if (nextTimeAfter(recurrence, nowMs) === undefined) {
    complain('quiet', 'All times of this report are quiet times, so it would never run');
  }
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'valid', recurrence };
}

type Times = Recurrence extends infer R ? (R extends Recurrence ? Omit<R, 'zone' | 'quiet'> : never) : never;

function parseTimes(fields: Fields, complain: AddProblem): Times | undefined {
  const every = recurrenceKindOf(fields);
  if (!every) return complain('every', 'Choose how often: day, weekday, week, month or cron');
  if (every === 'cron') {
    const problem = cronProblem(fields.cron);
    return problem === undefined ? { every, expression: fields.cron } : complain('cron', problem);
  }
  const at = parseTimeOfDay(fields.at) ?? complain('at', 'Give a time from 00:00 to 23:59, such as 09:00');
  const which = parseDaysOf(every, fields, complain);
  return at && which ? { ...which, at } : undefined;
}

type TimesWithoutAt = Times extends infer T ? (T extends { at: string } ? Omit<T, 'at'> : never) : never;

function parseDaysOf(
  every: TimesWithoutAt['every'],
  { days, day }: Fields,
  complain: AddProblem,
): TimesWithoutAt | undefined {
  if (every === 'week') {
    const read = parseDays(days) ?? complain('days', 'Give days of the week, such as mon thu or mon-fri');
    return read && { every, days: read };
  }
  if (every === 'month') {
    const read = /^\d{1,2}$/.test(day) ? Number(day) : 0;
    if (read < 1 || read > 31) return complain('day', 'Give a day of the month from 1 to 31');
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

/** Returns the kind of recurrence. If the kind wasn't typed, the other fields imply it. */
function recurrenceKindOf({ every, cron, days, day }: Fields): Recurrence['every'] | undefined {
  if (every !== '') return recurrenceKinds.find((one) => one === every) ?? synonyms[every];
  if (cron !== '') return 'cron';
  if (days !== '') return 'week';
  return day === '' ? 'day' : 'month';
}

const cronParts = ['minute', 'hour', 'day', 'month', 'weekday'] as const;

/** Returns why a cron expression is invalid, or undefined if it is valid. */
function cronProblem(expression: string): string | undefined {
  const isNickname = expression.startsWith('@');
  const count = expression === '' ? 0 : expression.split(/\s+/).length;
  if (!isNickname && count !== cronParts.length) {
    return `A cron expression has five parts (minute, hour, day, month, weekday), such as 0 9 * * 1-5, not ${count}`;
  }
  try {
    new Cron(expression, { timezone: 'UTC', mode: '5-part' });
    return undefined;
  } catch {
    const wrong = isNickname ? undefined : invalidCronPart(expression);
    return wrong ?? "This isn't a valid cron expression. Example: 0 9 * * 1-5";
  }
}

/** Returns the part of a cron expression that is invalid on its own. */
function invalidCronPart(expression: string): string | undefined {
  const words = expression.split(/\s+/);
  const index = words.findIndex((word, place) => {
    const alone = cronParts.map((_, other) => (other === place ? word : '*')).join(' ');
    try {
      new Cron(alone, { timezone: 'UTC', mode: '5-part' });
      return false;
    } catch {
      return true;
    }
  });
  const name = cronParts[index];
  return name && `"${words[index]}" isn't a valid ${name} in a cron expression. Example: 0 9 * * 1-5`;
}

function parseZoneField(written: string, complain: AddProblem): string | undefined {
  const zone = parseTimeZone(written);
  if (zone) return zone;
  const meant = suggestTimeZone(written);
  const guess = meant ? `: did you mean ${meant}?` : ', such as Europe/Berlin or America/New_York';
  return complain(
    'zone',
    written === '' ? `Give a time zone${guess}` : `Unknown time zone "${written}"${guess}`,
  );
}
