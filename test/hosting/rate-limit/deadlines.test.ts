import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRateLimiter, type RateLimiter } from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { createCallRecorder } from './call-recorder.ts';

const windowMs = 60_000;
const callTimeoutMs = 10_000;
const fingerprint = 'a key';
const people = { fingerprint, lane: 'people' } as const;

let limiter: RateLimiter;

beforeEach(async () => {
  vi.useFakeTimers();
  limiter = await createRateLimiter({ callTimeoutMs });
});

afterEach(async () => {
  const closed = limiter.close();
  await vi.advanceTimersByTimeAsync(callTimeoutMs + windowMs);
  await closed;
  vi.useRealTimers();
});

describe('a call that has to wait', () => {
  beforeEach(async () => {
    void limiter
      .schedule({ ...people, limit: 1 }, createCallRecorder().call('in the way'))
      .catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
  });

  test('is rejected at its deadline and never sent', async () => {
    const { log, call } = createCallRecorder();
    const notAfterMs = Date.now() + 5_000;
    const refused = limiter
      .schedule({ ...people, limit: 1, notAfterMs }, call('late'))
      .catch((error: unknown) => ({ error, atMs: Date.now() }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await refused).toMatchObject({ error: { code: 'deadline_passed' }, atMs: notAfterMs });
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    expect(log).toEqual([]);
  });

  test('is rejected when the quota closes, while the running call completes', async () => {
    const { names, call } = createCallRecorder();
    const slow = limiter.schedule({ ...people, fingerprint: 'another', limit: 1 }, call('slow', 5_000));
    const waiting = limiter
      .schedule({ ...people, limit: 1 }, call('waiting'))
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    let isClosed = false;
    const closed = limiter.close().then(() => {
      isClosed = true;
    });
    expect(await waiting).toMatchObject({ code: 'stopped' });
    await expect(limiter.schedule(people, call('too late'))).rejects.toMatchObject({ code: 'stopped' });
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await slow).toBe('slow');
    await closed;
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    expect(names()).toEqual(['slow']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a call with a passed deadline is not sent', async () => {
  const { log, call } = createCallRecorder();
  const outcome = limiter
    .schedule({ ...people, notAfterMs: Date.now() }, call('late'))
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await outcome).toMatchObject({ code: 'deadline_passed' });
  expect(log).toEqual([]);
});

test('a call whose preparation outlasts its deadline is not sent', async () => {
  const { log, call } = createCallRecorder();
  const beforeSend = () => new Promise<void>((resolve) => setTimeout(resolve, 8_000));
  const refused = limiter
    .schedule({ ...people, notAfterMs: Date.now() + 5_000, beforeSend }, call('late'))
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(8_000);
  expect(await refused).toMatchObject({ code: 'deadline_passed' });
  expect(log).toEqual([]);
  expect((await limiter.usage(fingerprint)).used.people).toBe(0);
});
