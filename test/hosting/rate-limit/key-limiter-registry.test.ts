import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createKeyLimiterRegistry } from '../../../src/hosting/rate-limit/key-limiter-registry.ts';
import { createQueuedCall } from '../../../src/hosting/rate-limit/queued-call.ts';
import { fingerprintKey } from '../../../src/hosting/rate-limit/quota.ts';
import { createQuotaTiming } from '../../../src/hosting/rate-limit/quota-timing.ts';
import { createSlotAcquirer } from '../../../src/hosting/rate-limit/slot-acquirer.ts';
import { createJournalSlotStore } from '../../../src/hosting/rate-limit/stores/journal-slot-store.ts';

describe('the registry of key limiters', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('has exactly the keys with held slots or waiting calls', async () => {
    const timing = createQuotaTiming({ callTimeoutMs: 10_000 });
    const context = {
      timing,
      backgroundShare: 0.8,
      now: Date.now,
      logger: { warn: vi.fn() },
      closed: new AbortController().signal,
    };
    const store = await createJournalSlotStore(undefined, context);
    const keys = createKeyLimiterRegistry(store, context);
    const pursuit = createSlotAcquirer(keys, store, context);
    const ask = (fingerprint: string, limit: number) => {
      const { queuedCall, result } = createQueuedCall(async () => fingerprint, {
        callTimeoutMs: 10_000,
        now: Date.now,
      });
      void pursuit.acquire({ fingerprint, limit, lane: 'people', onQueued: undefined }, queuedCall);
      return result;
    };

    const answers = [ask('busy', 1), ask('busy', 1), ask('quiet', 1)];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(keys.list()).toHaveLength(2);
    // The second call of the busy key gets the slot after the first and holds it equally long.
    await vi.advanceTimersByTimeAsync(timing.holdMs);
    expect(await Promise.all(answers)).toEqual(['busy', 'busy', 'quiet']);
    expect(keys.get('busy')).toBeDefined();
    expect(keys.get('quiet')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(timing.holdMs);
    expect(keys.list()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(context.logger.warn).not.toHaveBeenCalled();
  });
});

describe('the fingerprint of a key', () => {
  test('is equal only for the same key and secret, and reveals neither', () => {
    const print = fingerprintKey('secret', 'key-1');
    expect(fingerprintKey('secret', 'key-1')).toBe(print);
    expect(fingerprintKey('secret', 'key-2')).not.toBe(print);
    expect(fingerprintKey('another secret', 'key-1')).not.toBe(print);
    expect(print).toMatch(/^[\w-]{43}$/);
  });
});
