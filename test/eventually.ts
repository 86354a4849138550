import { vi } from 'vitest';

/** Looks again and again until what is looked for is there, and gives it; throws the last error where a busy machine has had time enough. */
export function eventually<T>(
  look: () => T | Promise<T>,
  { atMostMs = 20_000, everyMs = 5 }: { readonly atMostMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  return vi.waitFor(look, { timeout: atMostMs, interval: everyMs });
}
