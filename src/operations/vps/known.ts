import { closest } from 'fastest-levenshtein';
import { listVps } from '../../hosting/endpoints/vps.ts';
import { vpsName } from '../../hosting/fields.ts';
import { readVpsList } from '../../hosting/readings.ts';
import { ifPermitted } from '../if-permitted.ts';
import type { Read } from '../operation.ts';

/** How old a list of the fleet may be that a name is looked for or chosen in, in ms. One that lacks a name is read anew. */
export const fleetAgeMs = 60_000;

/** Finds the first of the names that the account does not have. Gives nothing where the list cannot tell. */
export async function findUnknownVps(read: Read, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  for (const maxAgeMs of [fleetAgeMs, 0]) {
    const known = await readNames(read, maxAgeMs);
    const unknown = known && names.find((name) => !known.includes(name));
    if (unknown === undefined) return undefined;
    if (maxAgeMs === 0) return unknown;
  }
  return undefined;
}

/** Finds the VPS whose name is nearest to what was written. */
export async function findClosestVps(read: Read, written: string): Promise<string | undefined> {
  const known = await readNames(read, fleetAgeMs);
  return known ? closest(written.toUpperCase(), known) : undefined;
}

/** Reads the names of the fleet; nothing where the key may not, or where the answer has none that could be one, or only some. */
async function readNames(read: Read, maxAgeMs: number): Promise<string[] | undefined> {
  const list = await ifPermitted(async () => readVpsList(await read(listVps, {}, { maxAgeMs })));
  if (typeof list === 'string' || list.mayHaveMore) return undefined;
  const names = list.vps.flatMap(({ name }) => vpsName.safeParse(name).data ?? []);
  return names.length > 0 ? names : undefined;
}
