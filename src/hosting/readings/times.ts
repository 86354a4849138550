import { numberOf } from './numbers.ts';

/** Above these a number of seconds, of milliseconds, of microseconds would be thousands of years away. */
const mostSeconds = 1e11;
const mostMs = 1e14;
const mostUs = 1e17;
/** The furthest moment that a Date can hold. */
const mostDateMs = 8.64e15;

const isoLike =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads a moment in ms since the epoch: ISO 8601, or a number of seconds, ms, µs or ns. Without a zone it is UTC. */
export function timeMsOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const iso = isoTimeMs(value.trim());
    if (iso !== undefined) return iso;
  }
  const number = numberOf(value);
  if (number === undefined || number < 0) return undefined;
  if (number < mostSeconds) return number * 1_000;
  if (number < mostMs) return number;
  const ms = number < mostUs ? number / 1_000 : number / 1_000_000;
  return ms <= mostDateMs ? Math.floor(ms) : undefined;
}

function isoTimeMs(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = isoLike.exec(text) ?? [];
  if (date === undefined) return undefined;
  const ms = Date.parse(
    `${date}T${time}${/^[+-]/.test(zone) ? zone.replace(/(\d{2})(\d{2})$/, '$1:$2') : 'Z'}`,
  );
  return Number.isNaN(ms) ? undefined : ms;
}
