import { describe, expect, test, vi } from 'vitest';
import { createRefreshingCache } from '../../src/refreshing-cache.ts';

const hourMs = 3_600_000;

describe('a refreshing cache', () => {
  function setUp() {
    const clock = { nowMs: 2 * hourMs };
    const read = vi.fn(async (key: string) => `${key} at ${clock.nowMs}`);
    const cache = createRefreshingCache({ read, ttlMs: 1_000, now: () => clock.nowMs });
    return { clock, read, cache };
  }

  test('reads a value again when its time to live is over', async () => {
    const { clock, read, cache } = setUp();
    const first = await cache.get('a');
    clock.nowMs += 999;
    expect(await cache.get('a')).toBe(first);
    clock.nowMs += 1;
    expect(await cache.get('a')).toBe(`a at ${clock.nowMs}`);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('reads a value again after the clock was set back by an hour', async () => {
    const { clock, read, cache } = setUp();
    await cache.get('a');
    clock.nowMs -= hourMs;
    expect(await cache.get('a')).toBe(`a at ${clock.nowMs}`);
    expect(await cache.get('a')).toBe(`a at ${clock.nowMs}`);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('returns the old value for up to an hour while it cannot be read again', async () => {
    const { clock, read, cache } = setUp();
    const first = await cache.get('a');
    read.mockRejectedValue(new Error('down'));
    clock.nowMs += hourMs - 1;
    expect(await cache.get('a')).toBe(first);
    clock.nowMs += 1;
    await expect(cache.get('a')).rejects.toThrow('down');
  });
});
