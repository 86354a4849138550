import { asRest } from './lists.ts';
import { bare, canonicalName, isEmpty, isRecord, isVpsName, ownerOf, type ServiceRecord } from './records.ts';

/** Where in a payload a value stands. */
export interface Place {
  /** Names of the fields around it, from the outside in; entries of a list have none. */
  readonly path: readonly string[];
  /** Whether it is an entry of a list, or of a map by name. */
  readonly isEntry: boolean;
  /** The VPS that all of it is about, where a field around it says so. */
  readonly vpsName: string | undefined;
}

/** How deep a payload is looked into. */
const mostDepth = 5;

/**
 * Goes through a payload from the outside in and lets `take` have what it wants. Returns the payload without what was taken;
 * a place that it leaves empty is gone with it.
 */
export function takeFrom(data: unknown, take: (value: unknown, place: Place) => boolean): ServiceRecord {
  return asRest(leave(data, take, { path: [], isEntry: false, vpsName: undefined }, mostDepth));
}

function leave(
  value: unknown,
  take: (value: unknown, place: Place) => boolean,
  place: Place,
  depth: number,
): unknown {
  if (take(value, place)) return undefined;
  if (depth === 0 || isEmpty(value)) return value;
  if (Array.isArray(value)) {
    const left = value.flatMap((item: unknown) => {
      const inner = leave(item, take, { ...place, isEntry: true }, depth - 1);
      return inner === undefined ? [] : [inner];
    });
    return left.length > 0 ? left : undefined;
  }
  if (!isRecord(value)) return value;
  const vpsName = ownerOf(value) ?? place.vpsName;
  const left = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    const kept = leave(inner, take, placeOf(field, { ...place, vpsName }), depth - 1);
    return kept === undefined ? [] : [[field, kept]];
  });
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

function placeOf(field: string, { path, vpsName }: Place): Place {
  return {
    path: [...path, field],
    isEntry: false,
    vpsName: isVpsName(field) ? canonicalName(field) : vpsName,
  };
}

/** Tells whether one of the fields around a value is called so. */
export function standsIn({ path }: Place, name: RegExp): boolean {
  return path.some((field) => name.test(bare(field)));
}
