import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { createCallRecorder } from './call-recorder.ts';

const callTimeoutMs = 10_000;
let limiter: RateLimiter;
beforeEach(async () => {
  vi.useFakeTimers();
  limiter = await createRateLimiter({ callTimeoutMs });
});
afterEach(async () => {
  const closed = limiter.close();
  await vi.advanceTimersByTimeAsync(callTimeoutMs);
  await closed;
  vi.useRealTimers();
});

test('a line whose share is used up goes on when the quota is raised in the same moment', async () => {
  const { names, call } = createCallRecorder();
  const alice = { fingerprint: 'a key', lane: 'people', line: 'alice', limit: 50 } as const;
  const schedule = (slot: { line: string; limit: number }, name: string) =>
    void limiter.schedule({ ...alice, ...slot }, call(name)).catch(() => undefined);
  for (let used = 0; used < 30; used += 1) schedule(alice, 'before');
  await vi.advanceTimersByTimeAsync(1_000);
  schedule(alice, 'next');
  schedule({ line: 'bob', limit: 100 }, 'of bob');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names().slice(30).toSorted()).toEqual(['next', 'of bob']);
});
