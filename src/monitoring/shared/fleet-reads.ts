import pMap from 'p-map';
import { RackhandError } from '../../errors.ts';

/** Maximum concurrent reads. More would only wait for the quota. */
const maxConcurrentReads = 8;

/** Reads VPS concurrently and returns the results in order. Stops at the first rejection or when the signal aborts. */
export function readEach<Item, Result>(
  items: readonly Item[],
  readOne: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): Promise<readonly Result[]> {
  return pMap(items, readOne, { concurrency: maxConcurrentReads, ...(signal && { signal }) });
}

/** Returns whether the workspace has no API key or the hosting service rejected it. */
export function isApiKeyInvalid(error: unknown): boolean {
  return error instanceof RackhandError && (error.code === 'key_missing' || error.code === 'key_rejected');
}

/** Returns whether an error affects only one reading, so others can still succeed. */
export function isSingleReadError(error: unknown): error is RackhandError {
  return (
    error instanceof RackhandError &&
    !isApiKeyInvalid(error) &&
    error.code !== 'not_installed' &&
    error.code !== 'stopped'
  );
}
