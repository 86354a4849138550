import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateLimiter } from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { createCallRecorder, createMemoryJournal } from './call-recorder.ts';

const callTimeoutMs = 10_000;
const fingerprint = 'a key';
const people = { fingerprint, lane: 'people' } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Schedules a call that isn't sent. Returns its error, and how many slots are in use afterwards. */
async function scheduleUnsent(
  settings: Partial<Parameters<typeof createRateLimiter>[0]>,
  beforeSend?: () => Promise<void>,
) {
  const limiter = await createRateLimiter({ callTimeoutMs, ...settings });
  const { log, call } = createCallRecorder();
  const outcome = limiter
    .schedule({ ...people, ...(beforeSend && { beforeSend }) }, call('unsent'))
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(callTimeoutMs + 1_000);
  const { used } = await limiter.usage(fingerprint);
  await limiter.close();
  expect(log).toEqual([]);
  return { error: await outcome, used: used.people };
}

test('a call whose last checks never end is not sent, and the service is not blamed', async () => {
  const { error, used } = await scheduleUnsent({}, () => new Promise(() => undefined));
  expect(error).toMatchObject({
    code: 'deadline_passed',
    message: expect.stringMatching(/Nothing was sent\.$/),
  });
  expect(used).toBe(0);
});

test('a call that could not be counted is not sent, and gives its slot back', async () => {
  const failure = new Error('no such metric');
  const onSent = () => {
    throw failure;
  };
  expect(await scheduleUnsent({ onSent })).toEqual({ error: failure, used: 0 });
});

test('a slot that is being requested is given back before a stop ends', async () => {
  const recording = Promise.withResolvers<void>();
  const journal = createMemoryJournal();
  const limiter = await createRateLimiter({
    callTimeoutMs,
    journal: {
      ...journal,
      async recordSent(call) {
        await recording.promise;
        await journal.recordSent(call);
      },
    },
  });
  const outcome = limiter
    .schedule(people, createCallRecorder().call('unsent'))
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  const closed = limiter.close();
  expect(await outcome).toMatchObject({ code: 'stopped' });
  recording.resolve();
  await closed;
  expect(journal.calls.size).toBe(0);
});
