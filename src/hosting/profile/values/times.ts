import { parseNumber } from './numbers.ts';

/**
 * Larger numbers of seconds would be thousands of years away, and so would larger numbers of ms or
 * µs in their own unit.
 */
const maxSeconds = 1e11;
const maxMs = 1e14;
const maxUs = 1e17;
/** Times outside this range aren't times of a VPS: zero dates, small counts, and dates that mean "never". */
const minTimeMs = Date.UTC(2000, 0);
const maxTimeMs = Date.UTC(2100, 0);

const isoPattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Parses a time from 2000 to 2099 to epoch ms. Accepts ISO 8601 (UTC if it has no zone), and a number
 * of seconds, ms, µs or ns.
 */
export function parseTimeMs(value: unknown): number | undefined {
  const timeMs = parseAnyTimeMs(value);
  return timeMs !== undefined && timeMs >= minTimeMs && timeMs < maxTimeMs ? timeMs : undefined;
}

function parseAnyTimeMs(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const iso = parseIsoTimeMs(value.trim());
    if (iso !== undefined) return iso;
  }
  const number = parseNumber(value);
  if (number === undefined || number < 0) return undefined;
  if (number < maxSeconds) return number * 1_000;
  if (number < maxMs) return number;
  return Math.floor(number < maxUs ? number / 1_000 : number / 1_000_000);
}

function parseIsoTimeMs(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = isoPattern.exec(text) ?? [];
  if (date === undefined) return undefined;
  const ms = Date.parse(
    `${date}T${time}${/^[+-]/.test(zone) ? zone.replace(/(\d{2})(\d{2})$/, '$1:$2') : 'Z'}`,
  );
  return Number.isNaN(ms) ? undefined : ms;
}
