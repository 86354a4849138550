/**
 * Returns a function that creates a value at its first call and returns the same value from then
 * on. This keeps slow values out of Rackhand's start: the first `Intl` object alone takes 8 ms.
 */
export function atFirstUse<T extends object>(create: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= create();
    return value;
  };
}
