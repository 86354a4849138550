/**
 * Returns a function that resolves when everything written before the call is on the disk. Calls
 * that arrive while a sync runs share the next one.
 */
export function createGroupSync(sync: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;

  return () => {
    if (next) return next;
    next = last.then(() => {
      next = undefined;
      return sync();
    });
    last = next.catch(() => undefined);
    return next;
  };
}
