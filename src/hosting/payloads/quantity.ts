import { findValues, isRecord } from './record.ts';

/** A number, and its unit if there is one. */
export interface Quantity {
  readonly value: number;
  /** The unit as the service writes it: `GiB`, `%`, `MB/s`. */
  readonly unit?: string;
}

const quantityPattern = /^\s*([+-]?(?:\d[\d_ ]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([\p{L}%µ][\p{L}%/ .²_]*)?$/iu;

/** Parses a finite number without a unit. Accepts strings. */
export function parseNumber(value: unknown): number | undefined {
  const quantity = parseQuantity(value);
  return quantity?.unit === undefined ? quantity?.value : undefined;
}

/** Parses a number and its unit: `12`, `"12.5"`, `"12 GiB"`, `{ value: 12, unit: "GiB" }`. */
export function parseQuantity(value: unknown): Quantity | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { value } : undefined;
  if (typeof value === 'string') return parseQuantityText(value);
  if (!isRecord(value)) return undefined;
  const isQuantity = Object.keys(value).every((field) => /^(value|val|amount|v|units?|u)$/i.test(field));
  const [inner] = isQuantity ? findValues(value, ['value', 'val', 'amount', 'v']) : [];
  const quantity = isRecord(inner) ? undefined : parseQuantity(inner);
  const [unit] = findValues(value, ['unit', 'units', 'u']);
  if (!quantity || quantity.unit !== undefined || typeof unit !== 'string') return quantity;
  return { ...quantity, unit };
}

function parseQuantityText(text: string): Quantity | undefined {
  // Longer text isn't a number, and matching could take long.
  if (text.length > 40) return undefined;
  const [, digits, unit] = quantityPattern.exec(text) ?? [];
  const value = Number(digits?.replace(/[_ ]/g, ''));
  if (!Number.isFinite(value)) return undefined;
  return unit === undefined ? { value } : { value, unit: unit.trim() };
}

/** Parses an integer from `min` to `max`. Returns undefined for anything else. */
export function parseInteger(value: unknown, min = 0, max = Number.MAX_SAFE_INTEGER): number | undefined {
  const number = parseNumber(value);
  const isValid = number !== undefined && Number.isInteger(number) && number >= min && number <= max;
  return isValid ? number : undefined;
}

export type Dimension = 'percent' | 'bytes' | 'bytesPerSecond' | 'seconds';

/** A unit that Rackhand understands. Multiplying a number by `factor` converts it to the unit of `dimension`. */
export interface Unit {
  readonly dimension: Dimension;
  readonly factor: number;
}

const secondsPerUnit: readonly (readonly [pattern: RegExp, seconds: number])[] = [
  [/^(ms|msecs?|millis|milliseconds?)$/i, 0.001],
  [/^(s|secs?|seconds?)$/i, 1],
  [/^(m|mins?|minutes?)$/i, 60],
  [/^(h|hrs?|hours?)$/i, 3_600],
  [/^(d|days?)$/i, 86_400],
  [/^(w|weeks?)$/i, 604_800],
];

const percentUnit = /^(%|perc(ent(age)?)?|pct)$/i;
const fractionUnit = /^(fraction|ratio|share)$/i;

/** Parses a unit given next to a number: `%`, `MiB`, `Mbit/s`, `BYTES_PER_SECOND`, `ms`. */
export function parseUnit(text: string): Unit | undefined {
  const unit = text.trim();
  if (percentUnit.test(unit)) return { dimension: 'percent', factor: 1 };
  if (fractionUnit.test(unit)) return { dimension: 'percent', factor: 100 };
  const perSecond = bytesPerSecondPerUnit(unit);
  if (perSecond !== undefined) return { dimension: 'bytesPerSecond', factor: perSecond };
  const bytes = bytesPerUnit(unit);
  if (bytes !== undefined) return { dimension: 'bytes', factor: bytes };
  // A single capital letter isn't a time unit: `M` can be a million bytes, or meters.
  const word = unit.length === 1 && unit !== unit.toLowerCase() ? '' : unit;
  const seconds = secondsPerUnit.find(([pattern]) => pattern.test(word))?.[1];
  return seconds === undefined ? undefined : { dimension: 'seconds', factor: seconds };
}

const bytesPattern =
  /^(?:([kmgtp])i?b|(kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi|pebi)?bytes?|octets|b)$/i;
const bitsPattern = /^(?:([kmgt])?(?:b|bits?)|(kilo|mega|giga|tera)bits?)$/;
const perSecondPattern = /^(.+?)(?:\/|per|p)s(?:ec(?:ond)?)?$/i;

/** Returns how many bytes a unit has. `MB` counts as `MiB`, because hosting services use powers of 1024. */
function bytesPerUnit(unit: string): number | undefined {
  const match = bytesPattern.exec(unit);
  return match ? 1_024 ** prefixToPower(match[1] ?? match[2]) : undefined;
}

/**
 * Returns a rate unit in bytes per second, or undefined for other units. A lower-case b means bits, in powers
 * of 1000: `Mbps` and `Mbit/s` are 125,000 bytes per second, `MB/s` is 1,048,576.
 */
export function bytesPerSecondPerUnit(unit: string): number | undefined {
  const [, base] = perSecondPattern.exec(unit.replace(/[\s_]/g, '')) ?? [];
  if (base === undefined) return undefined;
  const bits = bitsPattern.exec(base.replace(/^[KMGT]/, (prefix) => prefix.toLowerCase()));
  return bits ? 1_000 ** prefixToPower(bits[1] ?? bits[2]) / 8 : bytesPerUnit(base);
}

/** Returns the power of a unit prefix (`k` and `kilo` are 1). */
function prefixToPower(prefix = ''): number {
  return prefix === '' ? 0 : 'kmgtp'.indexOf(prefix.charAt(0).toLowerCase()) + 1;
}

const wordBoundary = String.raw`(?:[_\s.:-]+|(?<=[\p{Ll}\d])(?=\p{Lu}))`;
const byteSuffix = new RegExp(String.raw`^(.+?)${wordBoundary}(?:In(?=\p{Lu}))?([KMGTPkmgtp]i?[Bb])$`, 'u');
const wordSuffix = new RegExp(
  String.raw`^(.+?)${wordBoundary}(?:In(?=\p{Lu}))?([A-Za-z][a-z]*|[A-Z]+)$`,
  'u',
);
/** Matches a unit in a name. Time units must be plural, because `price_hour` isn't a duration. */
const nameUnit =
  /^(percent|percentage|perc|pct|fraction|ratio|bytes?|octets|[kmgtp]i?b|[kmgt]?bps|seconds|secs|milliseconds|millis|minutes|hours|days|gigabytes|megabytes)$/i;
/** Matches names in which a time unit doesn't mean a duration. */
const notDuration = /(price|cost|fee|charge|rate|per|amount|credit|balance)s?$/i;

/** A field's name, and the unit in its last word. */
export interface NamedUnit extends Unit {
  /** The name without the unit. Empty if the name is only the unit. */
  readonly name: string;
}

/** Returns the unit in a field's name: `memory_mb`, `sizeInGb`, `cpu-percent`, `uptimeSeconds`. */
export function findNameUnit(field: string): NamedUnit | undefined {
  if (field.length > 200) return undefined;
  const [, name = '', word = field] = byteSuffix.exec(field) ?? wordSuffix.exec(field) ?? [];
  const unit = nameUnit.test(word) ? parseUnit(word) : undefined;
  if (!unit || (unit.dimension === 'seconds' && notDuration.test(name))) return undefined;
  return { ...unit, name };
}

/**
 * Converts a field's value to a dimension. Uses the unit next to the number, a person's choice, or the field
 * name. Returns undefined if there is no unit or it measures something else.
 */
export function convertField(
  field: string,
  value: unknown,
  dimension: Dimension,
  statedUnit?: string,
): number | undefined {
  const quantity = parseQuantity(value);
  const beside = quantity?.unit ?? statedUnit;
  const unit = beside === undefined ? findNameUnit(field) : parseUnit(beside);
  if (!quantity || unit?.dimension !== dimension) return undefined;
  const converted = quantity.value * unit.factor;
  return Number.isFinite(converted) ? converted : undefined;
}

/** Twenty years. Anything longer is a start time or counts something else. */
export const maxUptimeS = 20 * 365 * 86_400;

/** Parses a duration to seconds. A number without a unit is in `unit`. */
export function parseSeconds(value: unknown, unit = 's'): number | undefined {
  const quantity = parseQuantity(value);
  const known = quantity && parseUnit(quantity.unit ?? unit);
  if (!quantity || known?.dimension !== 'seconds' || quantity.value < 0) return undefined;
  return quantity.value * known.factor;
}

/** Range of plausible times. Excludes zero dates, small counts, and dates that mean "never". */
const minTimeMs = Date.UTC(2000, 0);
const maxTimeMs = Date.UTC(2100, 0);

const isoPattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Parses a time from 2000 to 2099 to epoch ms. Accepts ISO 8601 (UTC if it has no zone), and a number
 * of seconds, ms, µs or ns.
 */
export function parseTimeMs(value: unknown): number | undefined {
  const timeMs = (typeof value === 'string' ? parseIsoMs(value.trim()) : undefined) ?? parseEpochMs(value);
  return timeMs !== undefined && timeMs >= minTimeMs && timeMs < maxTimeMs ? timeMs : undefined;
}

/**
 * Parses an epoch time in s, ms, µs or ns. Tells the units apart by size: larger numbers in each unit
 * would be times thousands of years away.
 */
function parseEpochMs(value: unknown): number | undefined {
  const number = parseNumber(value);
  if (number === undefined || number < 0) return undefined;
  if (number < 1e11) return number * 1_000;
  if (number < 1e14) return number;
  return Math.floor(number < 1e17 ? number / 1_000 : number / 1_000_000);
}

function parseIsoMs(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] = isoPattern.exec(text) ?? [];
  if (date === undefined) return undefined;
  const offset = /^[+-]/.test(zone) ? zone.replace(/(\d{2})(\d{2})$/, '$1:$2') : 'Z';
  const ms = Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(ms) ? undefined : ms;
}
