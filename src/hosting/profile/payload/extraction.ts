import { isSecretFieldName } from '../../secret-detection.ts';
import {
  findOwnerVpsName,
  isEmpty,
  isRecord,
  isVpsName,
  normalizeFieldName,
  normalizeVpsName,
  type ServiceRecord,
} from '../values/records.ts';
import { toOtherFields } from './list-finder.ts';

/** The position of a value in a payload. */
export interface PayloadLocation {
  /** Names of the outer fields, outermost first. List entries add no name. */
  readonly path: readonly string[];
  /** Whether the value is an entry of a list. */
  readonly isListItem: boolean;
  /** The VPS that an outer field names, if any. */
  readonly vpsName: string | undefined;
}

/** Maximum depth at which values are searched. */
const maxDepth = 5;

/**
 * Calls `extract` for every value of a payload, outermost first. Returns the payload without the
 * values for which `extract` returned true, and without objects and lists that became empty.
 */
export function extractFrom(
  data: unknown,
  extract: (value: unknown, location: PayloadLocation) => boolean,
): ServiceRecord {
  return toOtherFields(
    extractNested(data, extract, { path: [], isListItem: false, vpsName: undefined }, maxDepth),
  );
}

function extractNested(
  value: unknown,
  extract: (value: unknown, location: PayloadLocation) => boolean,
  location: PayloadLocation,
  depth: number,
): unknown {
  if (extract(value, location)) return undefined;
  if (depth === 0 || isEmpty(value)) return value;
  if (Array.isArray(value)) {
    const left = value.flatMap((item: unknown) => {
      const inner = extractNested(item, extract, { ...location, isListItem: true }, depth - 1);
      return inner === undefined ? [] : [inner];
    });
    return left.length > 0 ? left : undefined;
  }
  if (!isRecord(value)) return value;
  const vpsName = findOwnerVpsName(value) ?? location.vpsName;
  const left = Object.entries(value).flatMap(([field, inner]): [string, unknown][] => {
    // Only its field's name says that it is a secret. It can look like the name of an entry: db.credentials.
    const remaining = isSecretFieldName(field)
      ? inner
      : extractNested(inner, extract, childLocation(field, { ...location, vpsName }), depth - 1);
    return remaining === undefined ? [] : [[field, remaining]];
  });
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

function childLocation(field: string, { path, vpsName }: PayloadLocation): PayloadLocation {
  return {
    path: [...path, field],
    isListItem: false,
    vpsName: isVpsName(field) ? normalizeVpsName(field) : vpsName,
  };
}

/** Returns whether the normalized name of any outer field matches. */
export function isUnderField({ path }: PayloadLocation, name: RegExp): boolean {
  return path.some((field) => name.test(normalizeFieldName(field)));
}
