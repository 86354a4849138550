import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createJournalStore } from '../../src/hosting/quota/journal-store.ts';
import { createKeys } from '../../src/hosting/quota/keys.ts';
import { createPursuit } from '../../src/hosting/quota/pursuit.ts';
import { fingerprintKey } from '../../src/hosting/quota/quota.ts';
import { createTicket } from '../../src/hosting/quota/ticket.ts';
import { createTiming } from '../../src/hosting/quota/timing.ts';

describe('the keys in use', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are those of which a slot is held or waited for, and no others', async () => {
    const timing = createTiming({ callTimeoutMs: 10_000 });
    const context = {
      timing,
      backgroundShare: 0.8,
      now: Date.now,
      log: { warn: vi.fn() },
      closed: new AbortController().signal,
    };
    const store = await createJournalStore(undefined, context);
    const keys = createKeys(store, context);
    const pursuit = createPursuit(keys, store, context);
    const ask = (key: string, limit: number) => {
      const { ticket, answer } = createTicket(async () => key, { callTimeoutMs: 10_000, now: Date.now });
      void pursuit.pursue({ key, limit, lane: 'people', onQueued: undefined }, ticket);
      return answer;
    };

    const answers = [ask('busy', 1), ask('busy', 1), ask('quiet', 1)];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(keys.all()).toHaveLength(2);
    // The second call of the busy key waits while the first holds the slot, and then holds it as long.
    await vi.advanceTimersByTimeAsync(timing.holdMs);
    expect(await Promise.all(answers)).toEqual(['busy', 'busy', 'quiet']);
    expect(keys.get('busy')).toBeDefined();
    expect(keys.get('quiet')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(timing.holdMs);
    expect(keys.all()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(context.log.warn).not.toHaveBeenCalled();
  });
});

describe('the fingerprint of a key', () => {
  test('is the same for the same key and secret only, and tells neither', () => {
    const print = fingerprintKey('secret', 'key-1');
    expect(fingerprintKey('secret', 'key-1')).toBe(print);
    expect(fingerprintKey('secret', 'key-2')).not.toBe(print);
    expect(fingerprintKey('another secret', 'key-1')).not.toBe(print);
    expect(print).toMatch(/^[\w-]{43}$/);
  });
});
