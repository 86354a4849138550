import { copyContext } from '../readings/places.ts';

/**
 * Maximum number of values that are read, far more than a service returns about one VPS. Reading
 * them takes at most about 0.1 s of CPU.
 */
export const maxValues = 10_000;

/** The part of a payload that is read. */
interface LimitedPayload {
  readonly data: unknown;
  /** Whether values were left out. */
  readonly isCut: boolean;
}

/**
 * Leaves out the values of a payload beyond `maxValues`, so that reading it doesn't hold up everything
 * else. The outermost values are kept first. A payload with fewer values is returned as it is.
 */
export function limitValues(data: unknown): LimitedPayload {
  if (!isContainer(data)) return { data, isCut: false };
  const copy = createEmpty(data);
  const open: { readonly from: object; readonly to: object }[] = [{ from: data, to: copy }];
  let count = 0;
  // The list grows while it is read.
  for (const { from, to } of open) {
    for (const [key, value] of Object.entries(from)) {
      count += 1;
      if (count > maxValues) {
        copyContext(data, copy);
        return { data: copy, isCut: true };
      }
      const inner = isContainer(value) ? createEmpty(value) : value;
      add(to, key, inner);
      if (isContainer(value)) open.push({ from: value, to: inner });
    }
  }
  return { data, isCut: false };
}

/** An assignment to `__proto__` would change the prototype. */
function add(target: object, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true });
  else Object.assign(target, { [key]: value });
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function createEmpty(value: object): object {
  return Array.isArray(value) ? [] : {};
}
