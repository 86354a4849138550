import { quantityOf } from './numbers.ts';

const bytesUnit = /^(?:([kmgtp])i?b?|(kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi|pebi)?bytes?|b)$/i;
const bitsUnit = /^(?:([kmgt])?(?:b|bits?)|(kilo|mega|giga|tera)bits?)$/;
const perSecond = /^(.+?)(?:\/|per|p)s(?:ec(?:ond)?)?$/i;

/**
 * Turns a unit of memory into bytes; `undefined` for any other. `MB` counts as `MiB`: services of this kind count memory and
 * disks in powers of 1024, whatever they write, and the number that people know stays the same.
 */
export function bytesPerUnit(unit: string): number | undefined {
  const match = bytesUnit.exec(unit);
  return match ? 1_024 ** powerOf(match[1] ?? match[2]) : undefined;
}

/**
 * Turns a unit of speed into bytes per second; `undefined` for any other. A small b is a bit, of which 1000 make a kilobit:
 * `Mbps` and `Mbit/s` are 125,000 bytes per second, `MB/s` 1,048,576.
 */
export function bytesPerSecondPerUnit(unit: string): number | undefined {
  const [, base] = perSecond.exec(unit.replace(/[\s_]/g, '')) ?? [];
  if (base === undefined) return undefined;
  const bits = bitsUnit.exec(base.replace(/^[KMGT]/, (prefix) => prefix.toLowerCase()));
  return bits ? 1_000 ** powerOf(bits[1] ?? bits[2]) / 8 : bytesPerUnit(base);
}

/** The power that a prefix stands for, whole or by its first letter. */
function powerOf(prefix = ''): number {
  return prefix === '' ? 0 : 'kmgtp'.indexOf(prefix.charAt(0).toLowerCase()) + 1;
}

const betweenWords = String.raw`(?:[_\s.-]+|(?<=[\p{Ll}\d])(?=\p{Lu}))`;
const byteUnitAtEnd = new RegExp(`^(.+?)${betweenWords}([KMGTPkmgtp]i?[Bb])$`, 'u');
const wordAtEnd = new RegExp(`^(.+)${betweenWords}([A-Za-z][a-z]*|[A-Z]+)$`, 'u');

/** Splits the name of a field before its last word, which may be a unit, in lower case: `memory_mb` and `memoryMB` alike. A single word is all unit. */
export function splitUnit(field: string): { readonly name: string; readonly unit: string } {
  const [, name = '', unit = field] = byteUnitAtEnd.exec(field) ?? wordAtEnd.exec(field) ?? [];
  return { name, unit: unit.toLowerCase() };
}

/** Turns a unit in the name of a field into bytes; a single letter is none there. */
export function bytesPerNamedUnit(unit: string): number | undefined {
  return /^(?:bytes?|[kmgtp]i?b)$/i.test(unit) ? bytesPerUnit(unit) : undefined;
}

/** Reads a number of bytes from a field, whose value or name may carry a unit: `"12 GiB"`, `size_gb: 12`; without one it is bytes. */
export function bytesOf(field: string, value: unknown): number | undefined {
  const quantity = quantityOf(value);
  if (quantity === undefined || quantity.value < 0) return undefined;
  const factor =
    quantity.unit === undefined
      ? (bytesPerNamedUnit(splitUnit(field).unit) ?? 1)
      : bytesPerUnit(quantity.unit);
  return factor === undefined ? undefined : quantity.value * factor;
}
