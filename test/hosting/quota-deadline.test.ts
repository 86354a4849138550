import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQuota, type Quota } from '../../src/hosting/quota/quota.ts';
import { createCaller } from './quota-calls.ts';

const windowMs = 60_000;
const callTimeoutMs = 10_000;
const key = 'a key';
const people = { key, lane: 'people' } as const;

let quota: Quota;

beforeEach(async () => {
  vi.useFakeTimers();
  quota = await createQuota({ callTimeoutMs });
});

afterEach(async () => {
  const closed = quota.close();
  await vi.advanceTimersByTimeAsync(callTimeoutMs + windowMs);
  await closed;
  vi.useRealTimers();
});

describe('a call that has to wait', () => {
  beforeEach(async () => {
    void quota.run({ ...people, limit: 1 }, createCaller().call('in the way')).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
  });

  test('is refused at its deadline, and does not leave when there is a slot', async () => {
    const { log, call } = createCaller();
    const notAfterMs = Date.now() + 5_000;
    const refused = quota
      .run({ ...people, limit: 1, notAfterMs }, call('late'))
      .catch((error: unknown) => ({ error, atMs: Date.now() }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await refused).toMatchObject({ error: { code: 'deadline_passed' }, atMs: notAfterMs });
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    expect(log).toEqual([]);
  });

  test('is refused when its caller withdraws it, and does not leave', async () => {
    const { log, call } = createCaller();
    const caller = new AbortController();
    const refused = quota
      .run({ ...people, limit: 1, signal: caller.signal }, call('withdrawn'))
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    caller.abort();
    expect(await refused).toMatchObject({ code: 'deadline_passed' });
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    expect(log).toEqual([]);
  });

  test('is refused when the quota closes, which the call under way outlives', async () => {
    const { names, call } = createCaller();
    const slow = quota.run({ ...people, key: 'another', limit: 1 }, call('slow', 5_000));
    const waiting = quota.run({ ...people, limit: 1 }, call('waiting')).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    let isClosed = false;
    const closed = quota.close().then(() => {
      isClosed = true;
    });
    expect(await waiting).toMatchObject({ code: 'stopped' });
    await expect(quota.run(people, call('too late'))).rejects.toMatchObject({ code: 'stopped' });
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await slow).toBe('slow');
    await closed;
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    expect(names()).toEqual(['slow']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a call whose deadline has passed or whose caller has gone does not leave', async () => {
  const { log, call } = createCaller();
  const outcomes = Promise.all([
    quota.run({ ...people, notAfterMs: Date.now() }, call('late')).catch((error: unknown) => error),
    quota.run({ ...people, signal: AbortSignal.abort() }, call('gone')).catch((error: unknown) => error),
  ]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await outcomes).toMatchObject([{ code: 'deadline_passed' }, { code: 'deadline_passed' }]);
  expect(log).toEqual([]);
});

test('a caller who goes while the call is under way aborts it', async () => {
  const caller = new AbortController();
  const outcome = quota
    .run({ ...people, signal: caller.signal }, (signal) => {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    })
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(100);
  const reason = new Error('gone');
  caller.abort(reason);
  expect(await outcome).toBe(reason);
});
