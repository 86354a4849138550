import { describe, expect, test, vi } from 'vitest';
import { createTtlCache } from '../src/ttl-cache.ts';

describe('a TTL cache', () => {
  function setUp(read: (key: string) => Promise<string | undefined>) {
    const clock = { nowMs: 0 };
    const reader = vi.fn(read);
    const cached = createTtlCache({
      read: reader,
      toKey: (key: string) => key,
      ttlMs: 1_000,
      now: () => clock.nowMs,
    });
    return { clock, reader, cached };
  }

  test('reads a key again exactly when its time to live is over', async () => {
    const { clock, reader, cached } = setUp(async (key) => key);
    expect(await cached('a')).toBe('a');
    clock.nowMs = 999;
    await cached('a');
    expect(reader).toHaveBeenCalledTimes(1);
    clock.nowMs = 1_000;
    await cached('a');
    expect(reader).toHaveBeenCalledTimes(2);
  });

  test('shares one read among concurrent callers of a key', async () => {
    const { reader, cached } = setUp(async (key) => key);
    expect(await Promise.all([cached('a'), cached('a'), cached('b')])).toEqual(['a', 'a', 'b']);
    expect(reader).toHaveBeenCalledTimes(2);
  });

  test('caches undefined, but no failure', async () => {
    const { reader, cached } = setUp(async () => undefined);
    reader.mockRejectedValueOnce(new Error('down'));
    await expect(cached('a')).rejects.toThrow('down');
    expect(await cached('a')).toBeUndefined();
    expect(await cached('a')).toBeUndefined();
    expect(reader).toHaveBeenCalledTimes(2);
  });
});
