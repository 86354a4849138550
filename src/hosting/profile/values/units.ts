import { parseQuantity } from './numbers.ts';

const bytesUnitPattern = /^(?:([kmgtp])i?b?|(kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi|pebi)?bytes?|b)$/i;
const bitsUnitPattern = /^(?:([kmgt])?(?:b|bits?)|(kilo|mega|giga|tera)bits?)$/;
const perSecondPattern = /^(.+?)(?:\/|per|p)s(?:ec(?:ond)?)?$/i;

/**
 * Returns how many bytes a memory unit has, or undefined for other units. `MB` counts as `MiB`,
 * because such services use powers of 1024 under either name.
 */
export function bytesPerUnit(unit: string): number | undefined {
  const match = bytesUnitPattern.exec(unit);
  return match ? 1_024 ** prefixToPower(match[1] ?? match[2]) : undefined;
}

/**
 * Returns how many bytes per second a speed unit is, or undefined for other units. A lower-case b
 * is a bit, in powers of 1000: `Mbps` and `Mbit/s` are 125,000 bytes per second, `MB/s` is
 * 1,048,576.
 */
export function bytesPerSecondPerUnit(unit: string): number | undefined {
  const [, base] = perSecondPattern.exec(unit.replace(/[\s_]/g, '')) ?? [];
  if (base === undefined) return undefined;
  const bits = bitsUnitPattern.exec(base.replace(/^[KMGT]/, (prefix) => prefix.toLowerCase()));
  return bits ? 1_000 ** prefixToPower(bits[1] ?? bits[2]) / 8 : bytesPerUnit(base);
}

/** Returns the power of a unit prefix (`k` and `kilo` are 1). */
function prefixToPower(prefix = ''): number {
  return prefix === '' ? 0 : 'kmgtp'.indexOf(prefix.charAt(0).toLowerCase()) + 1;
}

const wordBoundary = String.raw`(?:[_\s.-]+|(?<=[\p{Ll}\d])(?=\p{Lu}))`;
const byteUnitSuffix = new RegExp(`^(.+?)${wordBoundary}([KMGTPkmgtp]i?[Bb])$`, 'u');
const wordSuffix = new RegExp(`^(.+)${wordBoundary}([A-Za-z][a-z]*|[A-Z]+)$`, 'u');

/** Longer names aren't split, because matching them could take long. */
const maxFieldChars = 200;

/**
 * Splits a field name before its last word, which can be a unit. `memory_mb` and `memoryMB` give
 * the same lower-case result. A single word is the unit.
 */
export function splitUnit(field: string): { readonly name: string; readonly unit: string } {
  if (field.length > maxFieldChars) return { name: '', unit: field.toLowerCase() };
  const [, name = '', unit = field] = byteUnitSuffix.exec(field) ?? wordSuffix.exec(field) ?? [];
  return { name, unit: unit.toLowerCase() };
}

/** Returns how many bytes a unit in a field name has. A single letter isn't a unit there. */
export function bytesPerFieldUnit(unit: string): number | undefined {
  return /^(?:bytes?|[kmgtp]i?b)$/i.test(unit) ? bytesPerUnit(unit) : undefined;
}

/**
 * A smaller number without a unit can be GB or MB. If it would then be at most 128 GiB, it can
 * also be KiB.
 */
const minUnitlessBytes = 2 ** 27;
/** A whole number of MiB up to this is a whole number of GiB if it is in KiB, as disks are sold. */
const maxDiskKib = 2 ** 30;

/**
 * Parses a field to bytes. The unit is in the value or the name (`"12 GiB"`, `size_gb: 12`).
 * Without a unit, a large number is in bytes, and the result for a small number is undefined.
 */
export function parseBytes(field: string, value: unknown): number | undefined {
  const quantity = parseQuantity(value);
  if (quantity === undefined || quantity.value < 0) return undefined;
  const factor =
    quantity.unit === undefined
      ? (bytesPerFieldUnit(splitUnit(field).unit) ?? unitlessFactor(quantity.value))
      : bytesPerUnit(quantity.unit);
  return factor === undefined ? undefined : quantity.value * factor;
}

function unitlessFactor(value: number): number | undefined {
  const canBeKib = value <= maxDiskKib && value % 2 ** 20 === 0;
  return value === 0 || (value >= minUnitlessBytes && !canBeKib) ? 1 : undefined;
}
