import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRateLimiter, type Lane, type RateLimiter } from '../../../src/hosting/quota/rate-limiter.ts';
import { createCallRecorder, maxCallsInWindow } from './call-recorder.ts';

const windowMs = 60_000;
const holdMs = 60_250;
const callTimeoutMs = 10_000;
const fingerprint = 'a key';
const people = { fingerprint, lane: 'people' } as const;

/** Bottleneck yields several times before a job begins. */
const startMs = 30;

let limiter: RateLimiter;

beforeEach(() => {
  vi.useFakeTimers();
  limiter = createRateLimiter({ callTimeoutMs });
});

afterEach(async () => {
  const closed = limiter.close();
  await vi.advanceTimersByTimeAsync(callTimeoutMs);
  await closed;
  vi.useRealTimers();
});

type Options = Parameters<RateLimiter['schedule']>[0];

/** Schedules a call and returns its result or its error, with the time at which it ended. */
async function schedule(options: Partial<Options>, call: () => Promise<string>) {
  const result = await limiter.schedule({ ...people, ...options }, call).catch((error: unknown) => error);
  return { result, atMs: performance.now() };
}

function scheduleMany(options: Partial<Options>, count: number, call: () => Promise<string>): void {
  for (let i = 0; i < count; i += 1) void schedule(options, call);
}

describe('a slot', () => {
  test.each([
    { how: 'a response', failure: undefined },
    { how: 'an error', failure: new Error('no such VPS') },
  ])('is held for a window and a margin after $how, which the caller gets at once', async ({ failure }) => {
    const { log, call } = createCallRecorder();
    const first = schedule({ limit: 1 }, call('first', 300, failure));
    const second = schedule({ limit: 1 }, call('second'));
    await vi.advanceTimersByTimeAsync(windowMs);
    expect(await first).toEqual({ result: failure ?? 'first', atMs: log[0]?.answeredAtMs });
    expect(log).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await second).result).toBe('second');
    const betweenMs = (log[1]?.sentAtMs ?? 0) - (log[0]?.answeredAtMs ?? 0);
    expect(betweenMs).toBeGreaterThanOrEqual(holdMs);
    expect(betweenMs).toBeLessThan(holdMs + startMs);
  });

  test('is released after a call without a response, which rejects with a timeout', async () => {
    const { log, call } = createCallRecorder();
    const aborted = vi.fn();
    const silent = limiter.schedule({ ...people, limit: 1 }, (signal) => {
      signal.addEventListener('abort', aborted);
      return new Promise(() => undefined);
    });
    const outcome = silent.catch((error: unknown) => error);
    void schedule({ limit: 1 }, call('next'));
    await vi.advanceTimersByTimeAsync(callTimeoutMs + startMs);
    expect(await outcome).toMatchObject({ code: 'service_timeout', failure: { sendState: 'unknown' } });
    expect(aborted).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(windowMs);
    expect(log).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(500);
    expect(log).toHaveLength(1);
  });

  test('of one key does not count for another', async () => {
    const { names, call } = createCallRecorder();
    for (const name of ['a', 'b', 'c']) void schedule({ fingerprint: name, limit: 1 }, call(name));
    await vi.advanceTimersByTimeAsync(startMs);
    expect(names().toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('that is given back goes to the next call at once, and to a person first', async () => {
    const { log, call } = createCallRecorder();
    const beforeSend = async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      throw new Error('no longer allowed');
    };
    const refused = schedule({ limit: 1, beforeSend }, call('refused'));
    for (const lane of ['background', 'people'] as const) void schedule({ lane, limit: 1 }, call(lane));
    await vi.advanceTimersByTimeAsync(500 + 2 * startMs);
    expect((await refused).result).toMatchObject({ message: 'no longer allowed' });
    expect(log.map(({ name }) => name)).toEqual(['people']);
  });
});

test('no window exceeds the quota, with random callers, durations, failures, cancellations, pauses and clocks', async () => {
  const arrival = fc.record({
    atMs: fc.integer({ min: 0, max: 150_000 }),
    lane: fc.constantFrom<Lane>('people', 'background'),
    caller: fc.constantFrom('alice', 'bob'),
    latencyMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: callTimeoutMs - 1 })),
    fails: fc.boolean(),
    patienceMs: fc.option(fc.integer({ min: 1, max: 100_000 })),
  });
  const pause = fc.record({
    atMs: fc.integer({ min: 0, max: 150_000 }),
    lengthMs: fc.integer({ min: 1, max: 90_000 }),
  });
  // At least two seconds apart: a clock that is set and, within a second, set back isn't noticed.
  const clockChange = fc.record({
    atMs: fc.integer({ min: 0, max: 75 }).map((count) => count * 2_000),
    byMs: fc.constantFrom(-3_600_000, -30_000, 3_600_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(arrival, { minLength: 5, maxLength: 40 }),
      fc.array(pause, { maxLength: 3 }),
      fc.uniqueArray(clockChange, { maxLength: 2, selector: ({ atMs }) => atMs }),
      async (limit, arrivals, pauses, clockChanges) => {
        const startedAtMs = performance.now();
        // Deadlines are on a clock that isn't set.
        const now = () => performance.now();
        const trial = createRateLimiter({ callTimeoutMs, now });
        const { log, call } = createCallRecorder();
        const outcomes: Promise<unknown>[] = [];
        arrivals.forEach(({ atMs, lane, caller, latencyMs, fails, patienceMs }, i) => {
          const notAfterMs = patienceMs ? startedAtMs + atMs + patienceMs : undefined;
          const failure = fails ? new Error('failed') : undefined;
          setTimeout(() => {
            const slot = { fingerprint, lane, caller, limit, notAfterMs };
            outcomes.push(trial.schedule(slot, call(`${i}`, latencyMs, failure)).catch(() => undefined));
          }, atMs);
        });
        for (const { atMs, lengthMs } of pauses)
          setTimeout(() => void trial.pause(fingerprint, lengthMs), atMs);
        for (const { atMs, byMs } of clockChanges)
          setTimeout(() => vi.setSystemTime(Date.now() + byMs), atMs);
        await vi.advanceTimersByTimeAsync(300_000 + (arrivals.length * (windowMs + callTimeoutMs)) / limit);
        expect(outcomes).toHaveLength(arrivals.length);
        await Promise.all(outcomes);
        await trial.close();

        expect(maxCallsInWindow(log, windowMs)).toBeLessThanOrEqual(limit);
        expect(new Set(log.map(({ name }) => name)).size).toBe(log.length);
        for (const { name, sentAtMs } of log) {
          const { atMs = 0, patienceMs = null } = arrivals[Number(name)] ?? {};
          if (patienceMs) expect(sentAtMs - startedAtMs).toBeLessThan(atMs + patienceMs);
          for (const rest of pauses) {
            const sinceMs = sentAtMs - startedAtMs - rest.atMs;
            expect(sinceMs > 0 && sinceMs < rest.lengthMs - 1).toBe(false);
          }
        }
        const patient = arrivals.filter(({ patienceMs }) => patienceMs === null).length;
        expect(log.length).toBeGreaterThanOrEqual(patient);
      },
    ),
    { numRuns: 100 },
  );
});

describe('the lanes', () => {
  test("process a backlog at 99% of the ideal rate, with a person's call sent at once", async () => {
    const reports = createCallRecorder();
    const person = createCallRecorder();
    const latencyMs = 200;
    const startedAtMs = performance.now();
    for (let i = 0; i < 300; i += 1) {
      const caller = `report ${i % 5}`;
      void schedule({ lane: 'background', caller }, reports.call(`${i}`, latencyMs));
    }
    for (let minute = 0; minute < 5; minute += 1) {
      await vi.advanceTimersByTimeAsync(windowMs);
      const askedAtMs = performance.now();
      void schedule({ caller: 'alice' }, person.call('person', latencyMs));
      await vi.advanceTimersByTimeAsync(latencyMs + startMs);
      expect((person.log[minute]?.sentAtMs ?? Number.NaN) - askedAtMs).toBeLessThanOrEqual(startMs);
    }
    await vi.advanceTimersByTimeAsync(5 * windowMs);
    expect(reports.log).toHaveLength(300);
    // Forty calls are sent in each of seven cycles, the last twenty at the start of the eighth.
    const tookMs = Math.max(...reports.log.map(({ sentAtMs }) => sentAtMs)) - startedAtMs;
    expect((7 * (windowMs + latencyMs)) / tookMs).toBeGreaterThanOrEqual(0.99);
    expect(maxCallsInWindow(reports.log, windowMs)).toBe(40);
    expect(maxCallsInWindow([...reports.log, ...person.log], windowMs)).toBeLessThanOrEqual(50);
  });

  test.each([
    { limit: 50, slots: 40 },
    { limit: 4, slots: 3 },
    { limit: 1, slots: 1 },
  ])('give the background $slots of $limit slots', async ({ limit, slots }) => {
    const { log, call } = createCallRecorder();
    for (let i = 0; i <= limit; i += 1)
      void schedule({ lane: 'background', caller: `${i}`, limit }, call('read'));
    await vi.advanceTimersByTimeAsync(windowMs);
    expect(log).toHaveLength(slots);
  });

  test("send people's calls before background calls, which wait and are sent once", async () => {
    const { log, names, call } = createCallRecorder();
    scheduleMany({ limit: 2, caller: 'alice' }, 1, call('person'));
    scheduleMany({ limit: 2, caller: 'bob' }, 1, call('person'));
    await vi.advanceTimersByTimeAsync(1_000);
    for (const caller of ['1', '2']) void schedule({ lane: 'background', caller, limit: 2 }, call('report'));
    for (let cycle = 0; cycle < 3; cycle += 1) {
      for (const caller of ['alice', 'bob']) void schedule({ limit: 2, caller }, call('person'));
      await vi.advanceTimersByTimeAsync(holdMs + 500);
    }
    expect(new Set(names())).toEqual(new Set(['person']));
    await vi.advanceTimersByTimeAsync(4 * windowMs);
    const sent = log.filter(({ name }) => name === 'report');
    expect(sent).toHaveLength(2);
    expect(maxCallsInWindow(sent, windowMs)).toBe(1);
  });
});

describe('a changed quota', () => {
  test('that is raised sends waiting calls at once, also of a caller whose share is used up', async () => {
    const { names, call } = createCallRecorder();
    scheduleMany({ caller: 'alice' }, 90, call('alice'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(names()).toHaveLength(40);
    void schedule({ caller: 'bob', limit: 100 }, call('bob'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(names().filter((name) => name === 'alice')).toHaveLength(80);
  });

  test('that is lowered applies at once', async () => {
    const { log, call } = createCallRecorder();
    for (const caller of ['1', '2', '3', '4']) void schedule({ caller, limit: 4 }, call('before'));
    await vi.advanceTimersByTimeAsync(30_000);
    for (const caller of ['1', '2', '3', '4', '5', '6']) void schedule({ caller, limit: 2 }, call('after'));
    await vi.advanceTimersByTimeAsync(4 * windowMs);
    const after = log.filter(({ name }) => name === 'after');
    expect(after).toHaveLength(6);
    expect(maxCallsInWindow(after, windowMs)).toBe(2);
  });

  test.each([0, -1, 1.5, Number.NaN])('to %d is an error', async (limit) => {
    expect((await schedule({ limit }, async () => 'never')).result).toMatchObject({
      code: 'setting_invalid',
    });
  });
});

describe('a call that is not sent', () => {
  const { log, call } = createCallRecorder();

  beforeEach(async () => {
    log.length = 0;
    void schedule({ limit: 1 }, createCallRecorder().call('in the way'));
    await vi.advanceTimersByTimeAsync(1_000);
  });

  test('is rejected at its deadline, with the reason', async () => {
    const notAfterMs = Date.now() + 5_000;
    const late = schedule({ limit: 1, notAfterMs }, call('late'));
    const tooLate = schedule({ limit: 1, notAfterMs: Date.now() }, call('too late'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await tooLate).result).toMatchObject({ code: 'deadline_passed' });
    expect((await late).result).toMatchObject({
      code: 'deadline_passed',
      message:
        "This couldn't be sent in time, because this minute's request quota is used up. Nothing was sent.",
    });
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    expect(log).toEqual([]);
  });

  test('is rejected at once when its caller cancels it, and others go on', async () => {
    const cancelling = new AbortController();
    const reason = new Error('cancelled');
    const cancelled = schedule({ limit: 1, signal: cancelling.signal }, call('cancelled'));
    void schedule({ limit: 1 }, call('next'));
    await vi.advanceTimersByTimeAsync(1_000);
    cancelling.abort(reason);
    expect((await cancelled).result).toBe(reason);
    expect((await schedule({ signal: cancelling.signal }, call('cancelled'))).result).toBe(reason);
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    expect(log.map(({ name }) => name)).toEqual(['next']);
  });

  test.each([
    ['whose last checks never end', { beforeSend: () => new Promise<never>(() => undefined) }],
    [
      'whose last checks outlast its deadline',
      { beforeSend: () => new Promise<void>((resolve) => setTimeout(resolve, 8_000)), patienceMs: 5_000 },
    ],
  ])('%s gives its slot back, and the service is not blamed', async (_, { beforeSend, ...more }) => {
    const notAfterMs = 'patienceMs' in more ? Date.now() + more.patienceMs : undefined;
    const unsent = schedule({ fingerprint: 'another', beforeSend, notAfterMs }, call('unsent'));
    await vi.advanceTimersByTimeAsync(callTimeoutMs + 1_000);
    expect((await unsent).result).toMatchObject({
      code: 'deadline_passed',
      message: expect.stringMatching(/Nothing was sent\.$/),
    });
    expect(log).toEqual([]);
    expect((await limiter.usage('another')).used.people).toBe(0);
  });

  test('because the limiter closes is rejected, while the call in flight completes', async () => {
    const slow = schedule({ fingerprint: 'another' }, call('slow', 5_000));
    const waiting = schedule({ limit: 1 }, call('waiting'));
    await vi.advanceTimersByTimeAsync(1_000);
    let isClosed = false;
    const closed = limiter.close().then(() => {
      isClosed = true;
    });
    expect((await waiting).result).toMatchObject({ code: 'stopped' });
    expect((await schedule({}, call('too late'))).result).toMatchObject({ code: 'stopped' });
    expect(isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await slow).result).toBe('slow');
    await closed;
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(2 * windowMs);
    expect(log.map(({ name }) => name)).toEqual(['slow']);
  });
});

describe('a clock that is set', () => {
  test.each([-3_600_000, 3_600_000])('by %d ms delays no call and frees no slot', async (byMs) => {
    const { log, call } = createCallRecorder();
    for (const caller of ['alice', 'bob']) scheduleMany({ caller, limit: 4 }, 6, call(caller));
    scheduleMany({ lane: 'background', caller: 'report', limit: 4 }, 2, call('report'));
    await vi.advanceTimersByTimeAsync(10_000);
    vi.setSystemTime(Date.now() + byMs);
    await vi.advanceTimersByTimeAsync(5 * holdMs);
    expect(log).toHaveLength(14);
    expect(maxCallsInWindow(log, windowMs)).toBe(4);
    expect((log.at(-1)?.sentAtMs ?? 0) - (log[0]?.sentAtMs ?? 0)).toBeLessThan(3 * holdMs + 2_000);
  });

  test('right before a waiting call is cancelled leaves no timer of its key', async () => {
    const { call } = createCallRecorder();
    const cancelling = new AbortController();
    void schedule({ limit: 1 }, call('first', 0));
    await vi.advanceTimersByTimeAsync(holdMs - 800);
    void schedule({ limit: 1, signal: cancelling.signal }, call('second'));
    await vi.advanceTimersByTimeAsync(700);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(200);
    cancelling.abort();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a pause', () => {
  const fourCalls = { limit: 4 };

  test('stops the calls of its key and no others, in order, and uses no slots', async () => {
    const { log, names, call } = createCallRecorder();
    const untilMs = performance.now() + 20_000;
    await limiter.pause(fingerprint, 20_000);
    for (const lane of ['background', 'people'] as const)
      for (const caller of ['1', '2'])
        void schedule({ ...fourCalls, lane, caller }, call(`${lane} ${caller}`));
    void schedule({ fingerprint: 'another' }, call('another'));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(names()).toEqual(['another']);
    await vi.advanceTimersByTimeAsync(100);
    expect(names()).toEqual(['another', 'people 1', 'people 2', 'background 1', 'background 2']);
    expect(log[1]?.sentAtMs).toBeGreaterThanOrEqual(untilMs);
  });

  test('can only be lengthened, also while calls wait', async () => {
    const { log, call } = createCallRecorder();
    const startedAtMs = performance.now();
    await limiter.pause(fingerprint, 10_000);
    void schedule({}, call('paused'));
    await vi.advanceTimersByTimeAsync(5_000);
    await limiter.pause(fingerprint, 25_000);
    await limiter.pause(fingerprint, 1_000);
    await limiter.pause(fingerprint, -1_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((log[0]?.sentAtMs ?? 0) - startedAtMs).toBeGreaterThanOrEqual(30_000);
    expect((log[0]?.sentAtMs ?? 0) - startedAtMs).toBeLessThan(30_000 + startMs);
  });
});

describe('callers', () => {
  test('use at most their share, and a call of another is sent at once', async () => {
    const { log, names, call } = createCallRecorder();
    scheduleMany({ caller: 'alice' }, 200, call('alice'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(names()).toEqual(new Array(40).fill('alice'));
    const askedAtMs = performance.now();
    void schedule({ caller: 'bob' }, call('bob'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log.at(-1)?.name).toBe('bob');
    expect((log.at(-1)?.sentAtMs ?? 0) - askedAtMs).toBeLessThanOrEqual(startMs);
    await vi.advanceTimersByTimeAsync(7 * holdMs);
    expect(names().filter((name) => name === 'alice')).toHaveLength(200);
  });

  test('take turns for the slots that become free', async () => {
    const { names, call } = createCallRecorder();
    for (const caller of ['alice', 'bob']) scheduleMany({ caller }, 25, call('before'));
    await vi.advanceTimersByTimeAsync(2_000);
    scheduleMany({ caller: 'alice' }, 40, call('alice'));
    for (const caller of ['bob', 'carol']) scheduleMany({ caller }, 2, call(caller));
    await vi.advanceTimersByTimeAsync(holdMs + 1_000);
    expect(names().slice(50, 56)).toEqual(['alice', 'bob', 'carol', 'alice', 'bob', 'carol']);
  });
});
