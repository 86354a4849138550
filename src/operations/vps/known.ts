import { closest } from 'fastest-levenshtein';
import { listVps } from '../../hosting/endpoints/vps.ts';
import { readVpsList } from '../../hosting/readings.ts';
import { ifPermitted } from '../if-permitted.ts';
import type { Read } from '../operation.ts';

/** How old a list may be that a name is found in; one that lacks the name is read anew. */
const listAgeMs = 60_000;

/** Finds the first of the names that the account does not have. Gives nothing where the list cannot tell. */
export async function findUnknownVps(read: Read, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  for (const maxAgeMs of [listAgeMs, 0]) {
    const known = await readNames(read, maxAgeMs);
    const unknown = known && names.find((name) => !known.includes(name));
    if (unknown === undefined) return undefined;
    if (maxAgeMs === 0) return unknown;
  }
  return undefined;
}

/** Finds the VPS whose name is nearest to what was written. */
export async function findClosestVps(read: Read, written: string): Promise<string | undefined> {
  const known = await readNames(read, listAgeMs);
  return known && known.length > 0 ? closest(written.toUpperCase(), known) : undefined;
}

async function readNames(read: Read, maxAgeMs: number): Promise<string[] | undefined> {
  const list = await ifPermitted(async () => readVpsList(await read(listVps, {}, { maxAgeMs })));
  return typeof list === 'string' || list.mayHaveMore ? undefined : list.vps.map(({ name }) => name);
}
