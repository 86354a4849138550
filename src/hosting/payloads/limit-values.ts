import { copyMappings } from './matcher.ts';

/** Far more values than a service returns about one VPS. */
const defaultMaxValues = 10_000;
/** Deeper values, and characters beyond this length, are left out. */
const maxDepth = 20;

/** The part of a payload that is read. */
interface LimitedPayload {
  readonly data: unknown;
  /** Whether values were left out. */
  readonly isCut: boolean;
}

/**
 * Leaves out the values of a payload beyond a maximum, so that reading it doesn't hold up everything
 * else. A payload with fewer values is returned as it is.
 */
export function limitValues(data: unknown, maxValues = defaultMaxValues): LimitedPayload {
  let left = maxValues;
  let isCut = false;
  function copy(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) {
      isCut = true;
      return null;
    }
    const entries = Object.entries(value).slice(0, Math.max(0, left));
    left -= entries.length;
    if (entries.length < Object.keys(value).length) isCut = true;
    const inner = entries.map(([key, each]) => [key, copy(each, depth - 1)] as const);
    return Array.isArray(value) ? inner.map(([, each]) => each) : Object.fromEntries(inner);
  }
  const limited = copy(data, maxDepth);
  if (!isCut) return { data, isCut };
  if (typeof data === 'object' && data && typeof limited === 'object' && limited) copyMappings(data, limited);
  return { data: limited, isCut };
}
