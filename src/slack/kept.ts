interface Kept<T> {
  readonly value: Promise<T>;
  readonly untilMs: number;
}

/** Entries that are kept at most; the oldest goes first. */
const mostKept = 5_000;

/** Creates what reads by a key, at most once in `keptMs`. What is asked while it is being read is answered together; a failure is not kept. */
export function createKept<T>(
  read: (key: string) => Promise<T>,
  keptMs: number,
  now: () => number,
): (key: string) => Promise<T> {
  const kept = new Map<string, Kept<T>>();

  return (key) => {
    const known = kept.get(key);
    if (known && known.untilMs > now()) return known.value;
    const value = read(key);
    const entry = { value, untilMs: now() + keptMs };
    kept.delete(key);
    kept.set(key, entry);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    value.catch(() => kept.get(key) === entry && kept.delete(key));
    return value;
  };
}
