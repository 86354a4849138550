import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createRateLimiter,
  type Lane,
  type RateLimiter,
} from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { createCallRecorder, maxCallsInWindow } from './call-recorder.ts';

const windowMs = 60_000;
const marginMs = 250;
const callTimeoutMs = 10_000;
const fingerprint = 'a key';
const people = { fingerprint, lane: 'people' } as const;
const background = { fingerprint, lane: 'background' } as const;

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

/** Schedules a call for each name and ignores the results. */
function scheduleCalls(
  slot: { fingerprint: string; lane: Lane; limit?: number },
  calls: readonly (() => Promise<string>)[],
) {
  return Promise.allSettled(calls.map((call) => limiter.schedule(slot, call)));
}

describe('a slot', () => {
  test('is held for a window and a margin after the response, which the caller gets at once', async () => {
    const { log, call } = createCallRecorder();
    const slot = { ...people, limit: 1 };
    const first = limiter.schedule(slot, call('first', 300)).then((answer) => ({ answer, atMs: Date.now() }));
    const second = limiter.schedule(slot, call('second'));
    await vi.advanceTimersByTimeAsync(windowMs);
    expect(await first).toEqual({ answer: 'first', atMs: log[0]?.answeredAtMs });
    expect(log).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(marginMs + 1_000);
    expect(await second).toBe('second');
    const betweenMs = (log[1]?.sentAtMs ?? 0) - (log[0]?.answeredAtMs ?? 0);
    expect(betweenMs).toBeGreaterThanOrEqual(windowMs + marginMs);
    expect(betweenMs).toBeLessThan(windowMs + marginMs + 20);
  });

  test('is held as long after an error, which the caller gets unchanged', async () => {
    const { log, call } = createCallRecorder();
    const failure = new Error('no such VPS');
    const slot = { ...people, limit: 1 };
    const first = limiter.schedule(slot, call('first', 300, failure)).catch((error: unknown) => error);
    const second = limiter.schedule(slot, call('second'));
    await vi.advanceTimersByTimeAsync(windowMs + marginMs + 1_000);
    expect(await first).toBe(failure);
    expect(await second).toBe('second');
    expect((log[1]?.sentAtMs ?? 0) - (log[0]?.answeredAtMs ?? 0)).toBeGreaterThanOrEqual(windowMs + marginMs);
  });

  test('is released after a call without a response, which rejects with a timeout', async () => {
    const { log, call } = createCallRecorder();
    const aborted = vi.fn();
    const slot = { ...people, limit: 1 };
    const silent = limiter.schedule(slot, (signal) => {
      signal.addEventListener('abort', aborted);
      return new Promise(() => undefined);
    });
    const outcome = silent.catch((error: unknown) => error);
    const next = limiter.schedule(slot, call('next'));
    await vi.advanceTimersByTimeAsync(callTimeoutMs + 20);
    expect(await outcome).toMatchObject({ code: 'service_timeout', failure: { sendState: 'unknown' } });
    expect(aborted).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(windowMs);
    expect(log).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(marginMs + 200);
    expect(await next).toBe('next');
  });

  test('of one key does not count for another', async () => {
    const { call } = createCallRecorder();
    const answers = ['a', 'b', 'c'].map((name) =>
      limiter.schedule({ ...people, fingerprint: name, limit: 1 }, call(name)),
    );
    await vi.advanceTimersByTimeAsync(200);
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
  });
});

describe('no window exceeds the quota', () => {
  const arrival = fc.record({
    atMs: fc.integer({ min: 0, max: 150_000 }),
    lane: fc.constantFrom<Lane>('people', 'background'),
    latencyMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: callTimeoutMs - 1 })),
    fails: fc.boolean(),
    patienceMs: fc.option(fc.integer({ min: 1, max: 100_000 })),
  });
  const pause = fc.record({
    atMs: fc.integer({ min: 0, max: 150_000 }),
    lengthMs: fc.integer({ min: 1, max: 90_000 }),
  });

  test('with random arrivals, durations, failures, cancellations and pauses', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(arrival, { minLength: 5, maxLength: 40 }),
        fc.array(pause, { maxLength: 3 }),
        async (limit, arrivals, pauses) => {
          const trial = await createRateLimiter({ callTimeoutMs });
          const { log, call } = createCallRecorder();
          const startMs = Date.now();
          const outcomes: Promise<unknown>[] = [];
          arrivals.forEach(({ atMs, lane, latencyMs, fails, patienceMs }, i) => {
            const slot = {
              fingerprint,
              lane,
              limit,
              ...(patienceMs && { notAfterMs: startMs + atMs + patienceMs }),
            };
            setTimeout(() => {
              const failure = fails ? new Error('failed') : undefined;
              outcomes.push(trial.schedule(slot, call(`${i}`, latencyMs, failure)).catch(() => undefined));
            }, atMs);
          });
          for (const { atMs, lengthMs } of pauses) {
            setTimeout(() => trial.pause(fingerprint, startMs + atMs + lengthMs), atMs);
          }
          await vi.advanceTimersByTimeAsync(250_000 + (arrivals.length * (windowMs + callTimeoutMs)) / limit);
          await Promise.all(outcomes);
          await trial.close();

          expect(maxCallsInWindow(log, windowMs)).toBeLessThanOrEqual(limit);
          expect(new Set(log.map(({ name }) => name)).size).toBe(log.length);
          for (const { name, sentAtMs } of log) {
            const { atMs = 0, patienceMs = null } = arrivals[Number(name)] ?? {};
            if (patienceMs) expect(sentAtMs - startMs).toBeLessThan(atMs + patienceMs);
            for (const rest of pauses) {
              const sinceMs = sentAtMs - startMs - rest.atMs;
              expect(sinceMs > 0 && sinceMs < rest.lengthMs).toBe(false);
            }
          }
          const patient = arrivals.filter(({ patienceMs }) => patienceMs === null).length;
          expect(log.length).toBeGreaterThanOrEqual(patient);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the lanes', () => {
  test("process a backlog at 99% of the ideal rate, with a person's call sent at once", async () => {
    const reports = createCallRecorder();
    const person = createCallRecorder();
    const latencyMs = 200;
    const startMs = Date.now();
    const backlog = Array.from({ length: 300 }, (_, i) => reports.call(`${i}`, latencyMs));
    const answered = scheduleCalls(background, backlog);
    for (let minute = 0; minute < 5; minute += 1) {
      await vi.advanceTimersByTimeAsync(windowMs);
      const askedAtMs = Date.now();
      const answer = limiter.schedule(people, person.call('person', latencyMs));
      await vi.advanceTimersByTimeAsync(latencyMs + 20);
      expect(await answer).toBe('person');
      expect((person.log.at(-1)?.sentAtMs ?? 0) - askedAtMs).toBeLessThanOrEqual(10);
    }
    await vi.advanceTimersByTimeAsync(5 * windowMs);
    await answered;
    // Forty calls are sent in each of seven cycles, the last twenty at the start of the eighth.
    const tookMs = Math.max(...reports.log.map(({ sentAtMs }) => sentAtMs)) - startMs;
    expect((7 * (windowMs + latencyMs)) / tookMs).toBeGreaterThanOrEqual(0.99);
    expect(reports.names()).toEqual(Array.from({ length: 300 }, (_, i) => `${i}`));
    expect(maxCallsInWindow(reports.log, windowMs)).toBe(40);
    expect(maxCallsInWindow([...reports.log, ...person.log], windowMs)).toBeLessThanOrEqual(50);
  });

  test.each([
    { limit: 50, share: 0.8, slots: 40 },
    { limit: 10, share: 0.8, slots: 8 },
    { limit: 10, share: 0.35, slots: 3 },
    { limit: 1, share: 0.8, slots: 1 },
  ])('give the background $slots of $limit slots for a share of $share', async ({ limit, share, slots }) => {
    await limiter.close();
    limiter = await createRateLimiter({ callTimeoutMs, shares: { background: share } });
    const { log, call } = createCallRecorder();
    void scheduleCalls({ ...background, limit }, new Array(limit + 1).fill(call('read')));
    await vi.advanceTimersByTimeAsync(windowMs);
    expect(log).toHaveLength(slots);
  });

  test("send people's calls before background calls", async () => {
    const { names, call } = createCallRecorder();
    void scheduleCalls({ ...people, limit: 2 }, [call('first'), call('first')]);
    await vi.advanceTimersByTimeAsync(1_000);
    void scheduleCalls({ ...background, limit: 2 }, [call('report')]);
    await vi.advanceTimersByTimeAsync(1_000);
    void scheduleCalls({ ...people, limit: 2 }, [call('person'), call('person')]);
    await vi.advanceTimersByTimeAsync(2 * (windowMs + marginMs + 200));
    expect(names()).toEqual(['first', 'first', 'person', 'person', 'report']);
  });

  test('send background calls once and within their share, however long people delay them', async () => {
    const { log, names, call } = createCallRecorder();
    const slot = { ...people, limit: 2 };
    void scheduleCalls(slot, [call('person'), call('person')]);
    await vi.advanceTimersByTimeAsync(10);
    const reports = scheduleCalls({ ...background, limit: 2 }, [call('report 1'), call('report 2')]);
    for (let cycle = 0; cycle < 3; cycle += 1) {
      void scheduleCalls(slot, [call('person'), call('person')]);
      await vi.advanceTimersByTimeAsync(windowMs + marginMs + 120);
    }
    expect(new Set(names())).toEqual(new Set(['person']));
    await vi.advanceTimersByTimeAsync(4 * windowMs);
    await reports;
    const sent = log.filter(({ name }) => name !== 'person');
    expect(sent.map(({ name }) => name).toSorted()).toEqual(['report 1', 'report 2']);
    expect(maxCallsInWindow(sent, windowMs)).toBe(1);
  });
});

test('a raised quota sends waiting calls at once', async () => {
  const { log, call } = createCallRecorder();
  void scheduleCalls({ ...people, limit: 1 }, [createCallRecorder().call('in the way')]);
  await vi.advanceTimersByTimeAsync(1_000);
  void scheduleCalls({ ...people, limit: 1 }, [call('waiting'), call('waiting')]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log).toHaveLength(0);
  void scheduleCalls({ ...people, limit: 4 }, [call('new')]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log).toHaveLength(3);
});

test('a lowered quota applies at once', async () => {
  const { log, call } = createCallRecorder();
  void scheduleCalls({ ...people, limit: 4 }, new Array(4).fill(call('before')));
  await vi.advanceTimersByTimeAsync(30_000);
  void scheduleCalls({ ...people, limit: 2 }, new Array(6).fill(call('after')));
  await vi.advanceTimersByTimeAsync(4 * windowMs);
  const after = log.filter(({ name }) => name === 'after');
  expect(after.length).toBe(6);
  expect(maxCallsInWindow(after, windowMs)).toBe(2);
});

test.each([0, -1, 1.5, Number.NaN])('a quota of %d is rejected', async (limit) => {
  await expect(limiter.schedule({ ...people, limit }, async () => 'never')).rejects.toMatchObject({
    code: 'setting_invalid',
  });
});

test('the slots of a key without calls in flight count until they are free', async () => {
  void scheduleCalls(people, [createCallRecorder().call('before')]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await limiter.totals()).toMatchObject({ used: { people: 1, background: 0 } });
  await vi.advanceTimersByTimeAsync(2 * windowMs);
  expect(await limiter.totals()).toMatchObject({ used: { people: 0, background: 0 } });
});

test('after it was closed, the limiter rejects a call at once, even without a free slot', async () => {
  void scheduleCalls({ ...people, limit: 1 }, [createCallRecorder().call('before')]);
  await vi.advanceTimersByTimeAsync(1_000);
  await limiter.close();
  const late = limiter
    .schedule({ ...people, limit: 1 }, async () => 'never')
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  expect(await Promise.race([late, 'it waits'])).toMatchObject({ code: 'stopped' });
});
