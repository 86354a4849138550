import { toWhenText } from '../../src/time/parse-when.ts';
import type { When } from '../../src/time/when.ts';

/** Wednesday 25 November 2026, 11:00 in Berlin. */
export const nowMs = Date.parse('2026-11-25T10:00Z');
export const zone = 'Europe/Berlin';

/** A phrase of the grammar, and what it means: the time it starts at, or the text of what repeats. */
export const phrases: readonly (readonly [string, string])[] = [
  ['12:00', '2026-11-25T12:00'],
  ['10:00', '2026-11-26T10:00'],
  ['9 pm', '2026-11-25T21:00'],
  ['1830', '2026-11-25T18:30'],
  ['today 23:00', '2026-11-25T23:00'],
  ['tonight 22:00', '2026-11-25T22:00'],
  ['tonight 03:00', '2026-11-26T03:00'],
  ['Tomorrow at 3:00', '2026-11-26T03:00'],
  ['03:00 tomorrow', '2026-11-26T03:00'],
  ['sat 03:00', '2026-11-28T03:00'],
  ['next Saturday 03:00', '2026-11-28T03:00'],
  ['wed 10:00', '2026-12-02T10:00'],
  ['wed 12:00', '2026-11-25T12:00'],
  ['next wed 12:00', '2026-12-02T12:00'],
  ['this wed 12:00', '2026-11-25T12:00'],
  ['2027-07-01 03:00', '2027-07-01T03:00'],
  ['2027-03-28 02:30', '2027-03-28T03:00'],
  ['in 2h', '2026-11-25T13:00'],
  ['every sat 03:00', 'every sat 03:00'],
  ['saturdays 03:00', 'every sat 03:00'],
  ['weekly sat 03:00', 'every sat 03:00'],
  ['every mon, thu and fri 02:00', 'every mon thu fri 02:00'],
  ['every fri–mon 02:00', 'every mon fri sat sun 02:00'],
  ['weekdays 09:00', 'every mon-fri 09:00'],
  ['every weekend 9am', 'every sat sun 09:00'],
  ['daily 8:00', 'daily 08:00'],
  ['every day at 08:00', 'daily 08:00'],
  ['nightly 02:00', 'daily 02:00'],
  ['monthly 02:00', 'monthly 1 02:00'],
  ['every month on 31st 02:00', 'monthly 31 02:00'],
  ['monthly last 02:00', 'monthly 31 02:00'],
  ['every 30 min', 'cron */30 * * * *'],
  ['*/30 * * * *', 'cron */30 * * * *'],
  ['every 6h', 'cron 0 */6 * * *'],
  ['hourly', 'cron 0 * * * *'],
  ['cron 0 2 L * 1', 'cron 0 2 L * 1'],
  ['@daily', 'cron @daily'],
];

/** Returns the meaning of times, as the table has it. */
export function toMeaning(when: When): string {
  const begins = toWhenText({ ...when, ends: undefined });
  return when.kind === 'once' ? begins.replace(' ', 'T') : begins;
}
