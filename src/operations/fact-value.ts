import { z } from 'zod';
import { secondsOf } from '../hosting/readings/durations.ts';
import { meaningOf } from '../hosting/readings/measures.ts';
import { numberOf } from '../hosting/readings/numbers.ts';
import { bytesIn } from '../hosting/readings/shares.ts';
import { bytesPerNamedUnit, splitUnit } from '../hosting/readings/units.ts';
import type { Value } from './outcome.ts';

/** A quantity or a moment that the name of a field makes of its value. */
export interface Quantity {
  readonly value: Exclude<Value, string>;
  /** The name of the field, without the unit that the value has now. */
  readonly field: string;
}

/**
 * Reads a quantity or a moment in its unit, by the names of a field and of the fields around it: `memory_mb: 8192`, `uptime: 86400`, `cpu_percent: 12`,
 * `created_at: 1767225600`. Gives nothing where the name says nothing of it.
 */
export function quantityIn(path: readonly string[], value: unknown): Quantity | undefined {
  const field = path.at(-1) ?? '';
  const timeMs = isoTimeMs(value);
  if (timeMs !== undefined) return { value: { timeMs }, field };
  const number = numberOf(value);
  if (number === undefined || number < 0) return undefined;
  return withUnit(field, number) ?? withoutUnit(path, number);
}

const isoTime = z.iso.datetime({ offset: true });

function isoTimeMs(value: unknown): number | undefined {
  const parsed = isoTime.safeParse(value);
  return parsed.success ? Date.parse(parsed.data) : undefined;
}

const percentUnit = /^(percent|percentage|perc|pct)$/;

/** Shorter words for units of time, such as `min` and `m`, mean something else as often. */
const timeUnit = /^(secs?|seconds?|mins|minutes?|hrs?|hours?|days?)$/;

/** Beyond a hundred years a number of seconds is no duration. */
const longestMs = 100 * 365 * 86_400_000;

function withUnit(field: string, number: number): Quantity | undefined {
  const { name, unit } = splitUnit(field);
  // Of so many per minute it is not the minutes that are counted.
  if (/(^|[^A-Za-z])per$|Per$/.test(name)) return undefined;
  const left = name === '' ? field : name;
  const factor = bytesPerNamedUnit(unit);
  if (factor !== undefined && Number.isFinite(number * factor)) {
    return { value: { bytes: number * factor }, field: left };
  }
  if (percentUnit.test(unit)) return { value: { percent: number }, field: left };
  const seconds = timeUnit.test(unit) ? secondsOf(number, unit) : undefined;
  const value = seconds === undefined ? undefined : durationOf(seconds);
  return value && { value, field: left };
}

function withoutUnit(path: readonly string[], number: number): Quantity | undefined {
  const field = path.at(-1) ?? '';
  if (/uptime$/i.test(field)) {
    const value = durationOf(number);
    return value && { value, field };
  }
  const timeMs = momentWord.test(splitUnit(field).unit) ? momentOf(number) : undefined;
  if (timeMs !== undefined) return { value: { timeMs }, field };
  const meaning = meaningOf(path);
  if (meaning?.subject !== 'memory' && meaning?.subject !== 'disk') return undefined;
  const bytes = bytesIn({ meaning, quantity: { value: number } });
  return bytes && Number.isFinite(bytes) ? { value: { bytes }, field } : undefined;
}

function durationOf(seconds: number): { readonly durationMs: number } | undefined {
  const durationMs = seconds * 1_000;
  return durationMs <= longestMs ? { durationMs } : undefined;
}

const momentWord = /^(at|time|timestamp|date|created|updated|expires|expiry|since|until)$/;

/** Seconds, and milliseconds, since the epoch that are moments between 2001 and 2100; any other number counts something else. */
function momentOf(number: number): number | undefined {
  if (number >= 1e9 && number < 4.1e9) return number * 1_000;
  return number >= 1e12 && number < 4.1e12 ? number : undefined;
}
