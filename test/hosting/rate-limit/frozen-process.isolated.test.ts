import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ledger } from '../../../src/hosting/rate-limit/ledger/ledger.ts';
import { createRateLimiter, type RateLimiter } from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { createCallRecorder } from './call-recorder.ts';

const callTimeoutMs = 10_000;
const startTimeoutMs = 2_000;
const slot = { fingerprint: 'a key', lane: 'people', line: 'Alice', limit: 1 } as const;

let ledger: ReturnType<typeof createSharedLedger>;
let limiter: RateLimiter;
const warn = vi.fn();

vi.mock('../../../src/hosting/rate-limit/ledger/redis-ledger.ts', () => ({
  createRedisLedger: () => ledger.ledger,
}));

/** A ledger of one key whose slots another process can take. */
function createSharedLedger() {
  const held = new Set<string>();
  const requested: string[] = [];
  const cancelled: string[] = [];
  let fail: Error | undefined;
  const shared: Ledger = {
    maxWaitMs: Number.POSITIVE_INFINITY,
    async acquire({ slot: { callId }, limits }) {
      if (fail) throw fail;
      if (!held.has(callId) && held.size >= limits.all)
        return { isGranted: false, waitMs: 1_000, reason: 'quota' };
      held.add(callId);
      requested.push(callId);
      return { isGranted: true, atMs: performance.now() };
    },
    async markAnswered({ callId }) {
      held.delete(callId);
    },
    async cancel({ callId }) {
      held.delete(callId);
      cancelled.push(callId);
    },
    async pause() {},
    load: async () => ({ heldSlots: [], blockedForMs: 0, blockedReason: 'pause' }),
    async close() {},
  };
  return {
    ledger: shared,
    /** The call of each slot that was granted, in order. */
    requested,
    cancelled,
    /** Lets another process have all slots, because those of this process have expired. */
    takeAll() {
      held.clear();
      held.add('of another process');
    },
    freeAll: () => held.clear(),
    failWith(error: Error | undefined) {
      fail = error;
    },
  };
}

/** A preparation that takes some time the first time. */
function freezeOnce(ms: number) {
  return vi
    .fn<() => Promise<void>>()
    .mockResolvedValue()
    .mockImplementationOnce(() => new Promise((resolve) => setTimeout(resolve, ms)));
}

beforeEach(async () => {
  vi.useFakeTimers();
  warn.mockReset();
  ledger = createSharedLedger();
  const logger = { warn };
  limiter = await createRateLimiter({ callTimeoutMs, startTimeoutMs, redisUrl: 'redis://fake', logger });
});

afterEach(async () => {
  const closed = limiter.close();
  await vi.advanceTimersByTimeAsync(callTimeoutMs);
  await closed;
  vi.useRealTimers();
});

test.each([
  ['within the limit uses its slot', startTimeoutMs, 1],
  ['after the limit requests its slot again', startTimeoutMs + 1, 2],
])('a call that is prepared %s', async (_, ms, requests) => {
  const { names, call } = createCallRecorder();
  const sent = limiter.schedule({ ...slot, beforeSend: freezeOnce(ms) }, call('frozen'));
  await vi.advanceTimersByTimeAsync(ms + 1_000);
  expect(await sent).toBe('frozen');
  expect(names()).toEqual(['frozen']);
  expect(ledger.requested).toHaveLength(requests);
  expect(new Set(ledger.requested).size).toBe(1);
});

test('a call whose slot another process has taken is not sent, and is the first to get the next slot', async () => {
  const { names, call } = createCallRecorder();
  const beforeSend = freezeOnce(startTimeoutMs + 1_000);
  const frozen = limiter.schedule({ ...slot, beforeSend }, call('frozen'));
  const others = ['Alice', 'Bob'].map((line) =>
    limiter.schedule({ ...slot, line }, call(`later of ${line}`)),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  ledger.takeAll();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(names()).toEqual([]);
  expect(warn).toHaveBeenCalledWith({ reason: 'quota' }, 'a call lost its slot before it was sent');
  ledger.freeAll();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await Promise.all([frozen, ...others])).toHaveLength(3);
  expect(names()[0]).toBe('frozen');
  expect(beforeSend).toHaveBeenCalledTimes(2);
  expect(ledger.cancelled).toEqual([]);
});

test('a call that has lost its slot is rejected at its deadline', async () => {
  const { names, call } = createCallRecorder();
  const notAfterMs = Date.now() + 5_000;
  const beforeSend = freezeOnce(startTimeoutMs + 1_000);
  const refused = limiter
    .schedule({ ...slot, beforeSend, notAfterMs }, call('frozen'))
    .catch((error: unknown) => ({ error, atMs: Date.now() }));
  ledger.takeAll();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await refused).toMatchObject({ error: { code: 'deadline_passed' }, atMs: notAfterMs });
  expect(names()).toEqual([]);
});

test('a call whose slot cannot be confirmed is not sent, and gives the slot back', async () => {
  const { names, call } = createCallRecorder();
  const failure = new Error('the ledger is away');
  const refused = limiter
    .schedule({ ...slot, beforeSend: freezeOnce(startTimeoutMs + 1_000) }, call('frozen'))
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  ledger.failWith(failure);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await refused).toBe(failure);
  expect(ledger.cancelled).toEqual(ledger.requested);
  ledger.failWith(undefined);
  const next = limiter.schedule(slot, call('next'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe('next');
  expect(names()).toEqual(['next']);
});
