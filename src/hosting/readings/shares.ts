import type { Leaf } from './leaves.ts';
import type { Meaning } from './measures.ts';
import type { Quantity } from './numbers.ts';
import { bytesPerSecondPerUnit, bytesPerUnit } from './units.ts';

/** A number with what its name says about it. */
export interface Measured {
  readonly meaning: Meaning;
  readonly quantity: Quantity;
}

/** A leaf whose name is understood. */
export interface MeasuredLeaf extends Measured {
  readonly leaf: Leaf;
}

/** Fewer bytes than these are no memory and no disk of a server: the number counts in a unit that nobody tells. */
const fewestBytes = 2 ** 20;

/** Beyond 1 a fraction may go a little, by the way in which it is measured. */
const mostFraction = 1.5;

/** A flow beyond 1 Gbit/s whose unit nobody tells is a total since the start, which some services show in its place. */
const mostBytesPerS = 125e6;

/** Reads a share in percent where the number, its unit or its name says that it is one. */
export function toldPercent({ quantity: { value, unit }, meaning }: Measured): number | undefined {
  const told = unit ?? meaning.unit;
  if (told === '%' || /^perc/i.test(told ?? '') || /^pct$/i.test(told ?? '')) return value;
  return /^(fraction|ratio|share)$/i.test(told ?? '') ? value * 100 : undefined;
}

/** Tells whether a number says of itself neither its unit nor whether it is a share. */
export function isBare({ quantity, meaning }: Measured): boolean {
  return quantity.unit === undefined && meaning.unit === undefined;
}

/** Tells whether shares that do not say so are fractions of 1: by the largest of them, or because CPUs are counted beside one. */
export function areFractions(shares: Iterable<number>): boolean {
  let largest = 0;
  for (const share of shares) largest = Math.max(largest, share);
  return largest <= mostFraction;
}

/** Reads bytes. A bare number is taken for bytes where there are enough of them, or none. */
export function bytesIn(measured: Measured): number | undefined {
  const { quantity, meaning } = measured;
  if (isBare(measured))
    return quantity.value >= fewestBytes || quantity.value === 0 ? quantity.value : undefined;
  const factor = bytesPerUnit(quantity.unit ?? meaning.unit ?? '');
  return factor === undefined ? undefined : quantity.value * factor;
}

/** What flows: per second, in all since the start, or, where neither the unit nor the name tells, either of them. */
export interface Flow {
  readonly bytes: number;
  readonly per: 'second' | 'start' | 'unknown';
}

/** Reads a flow in bytes. */
export function flowIn({ quantity: { value, unit }, meaning }: Measured): Flow | undefined {
  const told = unit ?? meaning.unit ?? '';
  const perS = bytesPerSecondPerUnit(told);
  if (perS !== undefined) return { bytes: value * perS, per: 'second' };
  if (/^[kmg]?bit$/i.test(told))
    return { bytes: value * (bytesPerSecondPerUnit(`${told}/s`) ?? 1), per: 'second' };
  const factor = told === '' ? 1 : bytesPerUnit(told);
  if (factor === undefined) return undefined;
  if (meaning.isRate) return { bytes: value * factor, per: 'second' };
  return { bytes: value * factor, per: told === '' ? 'unknown' : 'start' };
}

/** Tells whether flows that do not say so are totals since the start. */
export function areTotals(flows: Iterable<number>): boolean {
  for (const bytes of flows) if (bytes > mostBytesPerS) return true;
  return false;
}
