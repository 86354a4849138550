import { z } from 'zod';
import { parseFieldMeaning } from '../../hosting/profile/metrics/field-meaning.ts';
import { isByteAmount } from '../../hosting/profile/metrics/live/usage-shares.ts';
import { maxUptimeS, parseSeconds } from '../../hosting/profile/values/durations.ts';
import { parseNumber } from '../../hosting/profile/values/numbers.ts';
import { bytesPerFieldUnit, splitUnit } from '../../hosting/profile/values/units.ts';
import type { Value } from '../define/outcome.ts';

/** A quantity or time, derived from a field's name and value. */
export interface FieldQuantity {
  readonly value: Exclude<Value, string>;
  /** The field's name without its unit. */
  readonly field: string;
}

/**
 * Parses a quantity or time by the names of the field and its parents: `memory_mb: 8192`, `uptime:
 * 86400`, `cpu_percent: 12`, `created_at: 1767225600`. Returns undefined if the name implies no
 * unit.
 */
export function parseFieldQuantity(path: readonly string[], value: unknown): FieldQuantity | undefined {
  const field = path.at(-1) ?? '';
  const timeMs = parseIsoTimeMs(value);
  if (timeMs !== undefined) return { value: { kind: 'time', timeMs }, field };
  const number = parseNumber(value);
  if (number === undefined || number < 0) return undefined;
  return parseWithUnit(field, number) ?? parseWithoutUnit(path, number);
}

const isoTime = z.iso.datetime({ offset: true });

function parseIsoTimeMs(value: unknown): number | undefined {
  const parsed = isoTime.safeParse(value);
  return parsed.success ? Date.parse(parsed.data) : undefined;
}

const percentPattern = /^(percent|percentage|perc|pct)$/;

/** Shorter units such as `min` and `m` are left out, because they often mean something else. */
const timeUnitPattern = /^(secs?|seconds?|mins|minutes?|hrs?|hours?|days?)$/;

/** A hundred years. Larger numbers aren't durations. */
const maxDurationMs = 100 * 365 * 86_400_000;

function parseWithUnit(field: string, number: number): FieldQuantity | undefined {
  const { name, unit } = splitUnit(field);
  // "Per minute" is a rate, not a number of minutes.
  if (/(^|[^A-Za-z])per$|Per$/.test(name)) return undefined;
  const left = name === '' ? field : name;
  const factor = bytesPerFieldUnit(unit);
  if (factor !== undefined && Number.isFinite(number * factor)) {
    return { value: { kind: 'bytes', bytes: number * factor }, field: left };
  }
  if (percentPattern.test(unit)) return { value: { kind: 'percent', percent: number }, field: left };
  const seconds = timeUnitPattern.test(unit) ? parseSeconds(number, unit) : undefined;
  const value = seconds === undefined ? undefined : toDuration(seconds);
  return value && { value, field: left };
}

function parseWithoutUnit(path: readonly string[], number: number): FieldQuantity | undefined {
  const field = path.at(-1) ?? '';
  if (/uptime$/i.test(field)) {
    const value = number <= maxUptimeS ? toDuration(number) : undefined;
    return value && { value, field };
  }
  const timeMs = timestampPattern.test(splitUnit(field).unit) ? toTimestampMs(number) : undefined;
  if (timeMs !== undefined) return { value: { kind: 'time', timeMs }, field };
  const meaning = parseFieldMeaning(path);
  if (meaning?.subject !== 'memory' && meaning?.subject !== 'disk') return undefined;
  const isInBytes = meaning.unit === undefined && isByteAmount(meaning.subject, number);
  return isInBytes ? { value: { kind: 'bytes', bytes: number }, field } : undefined;
}

function toDuration(seconds: number): Extract<Value, { kind: 'duration' }> | undefined {
  const durationMs = seconds * 1_000;
  return durationMs <= maxDurationMs ? { kind: 'duration', durationMs } : undefined;
}

const timestampPattern = /^(at|time|timestamp|date|created|updated|expires|expiry|since|until)$/;

/** Converts epoch seconds or ms between 2001 and 2100 to ms. Other numbers aren't times. */
function toTimestampMs(number: number): number | undefined {
  if (number >= 1e9 && number < 4.1e9) return number * 1_000;
  return number >= 1e12 && number < 4.1e12 ? number : undefined;
}
