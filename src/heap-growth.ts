import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much the heap can grow between two full collections, in percent of what the last one left. */
const maxGrowthPercent = 60;

/**
 * Keeps the process small under load. By default, V8 lets the heap of a young process grow to several
 * times its size before the first full collection. The limit takes effect with a full collection, so
 * this function starts one, which takes about 20 ms. Called after the start, which it would slow down.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${maxGrowthPercent}`);
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
