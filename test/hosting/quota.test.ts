import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createQuota, type Lane, type Quota } from '../../src/hosting/quota/quota.ts';
import { createCaller, worstWindow } from './quota-calls.ts';

const windowMs = 60_000;
const marginMs = 250;
const callTimeoutMs = 10_000;
const key = 'a key';
const people = { key, lane: 'people' } as const;
const background = { key, lane: 'background' } as const;

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

/** Asks for as many calls as `names` and leaves them to their fate. */
function ask(slot: { key: string; lane: Lane; limit?: number }, calls: readonly (() => Promise<string>)[]) {
  return Promise.allSettled(calls.map((call) => quota.run(slot, call)));
}

describe('a slot', () => {
  test('is held until a window and a margin after the answer, which the caller has at once', async () => {
    const { log, call } = createCaller();
    const slot = { ...people, limit: 1 };
    const first = quota.run(slot, call('first', 300)).then((answer) => ({ answer, atMs: Date.now() }));
    const second = quota.run(slot, call('second'));
    await vi.advanceTimersByTimeAsync(windowMs);
    expect(await first).toEqual({ answer: 'first', atMs: log[0]?.answeredAtMs });
    expect(log).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(marginMs + 1_000);
    expect(await second).toBe('second');
    const betweenMs = (log[1]?.leftAtMs ?? 0) - (log[0]?.answeredAtMs ?? 0);
    expect(betweenMs).toBeGreaterThanOrEqual(windowMs + marginMs);
    expect(betweenMs).toBeLessThan(windowMs + marginMs + 20);
  });

  test('is held as long after a failure, which the caller has as it was thrown', async () => {
    const { log, call } = createCaller();
    const failure = new Error('no such VPS');
    const slot = { ...people, limit: 1 };
    const first = quota.run(slot, call('first', 300, failure)).catch((error: unknown) => error);
    const second = quota.run(slot, call('second'));
    await vi.advanceTimersByTimeAsync(windowMs + marginMs + 1_000);
    expect(await first).toBe(failure);
    expect(await second).toBe('second');
    expect((log[1]?.leftAtMs ?? 0) - (log[0]?.answeredAtMs ?? 0)).toBeGreaterThanOrEqual(windowMs + marginMs);
  });

  test('comes back from a call that is never answered, whose caller hears of a timeout', async () => {
    const { log, call } = createCaller();
    const aborted = vi.fn();
    const slot = { ...people, limit: 1 };
    const silent = quota.run(slot, (signal) => {
      signal.addEventListener('abort', aborted);
      return new Promise(() => undefined);
    });
    const outcome = silent.catch((error: unknown) => error);
    const next = quota.run(slot, call('next'));
    await vi.advanceTimersByTimeAsync(callTimeoutMs + 20);
    expect(await outcome).toMatchObject({ code: 'service_timeout', failure: { fate: 'unknown' } });
    expect(aborted).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(windowMs);
    expect(log).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(marginMs + 200);
    expect(await next).toBe('next');
  });

  test('of one key is none of another', async () => {
    const { call } = createCaller();
    const answers = ['a', 'b', 'c'].map((name) => quota.run({ ...people, key: name, limit: 1 }, call(name)));
    await vi.advanceTimersByTimeAsync(200);
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
  });
});

describe('no window sees more than the quota', () => {
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

  test('whatever arrives when, takes how long, fails, gives up or is paused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(arrival, { minLength: 5, maxLength: 40 }),
        fc.array(pause, { maxLength: 3 }),
        async (limit, arrivals, pauses) => {
          const trial = await createQuota({ callTimeoutMs });
          const { log, call } = createCaller();
          const startMs = Date.now();
          const outcomes: Promise<unknown>[] = [];
          arrivals.forEach(({ atMs, lane, latencyMs, fails, patienceMs }, i) => {
            const slot = { key, lane, limit, ...(patienceMs && { notAfterMs: startMs + atMs + patienceMs }) };
            setTimeout(() => {
              const failure = fails ? new Error('failed') : undefined;
              outcomes.push(trial.run(slot, call(`${i}`, latencyMs, failure)).catch(() => undefined));
            }, atMs);
          });
          for (const { atMs, lengthMs } of pauses) {
            setTimeout(() => trial.pause(key, startMs + atMs + lengthMs), atMs);
          }
          await vi.advanceTimersByTimeAsync(250_000 + (arrivals.length * (windowMs + callTimeoutMs)) / limit);
          await Promise.all(outcomes);
          await trial.close();

          expect(worstWindow(log, windowMs)).toBeLessThanOrEqual(limit);
          expect(new Set(log.map(({ name }) => name)).size).toBe(log.length);
          for (const { name, leftAtMs } of log) {
            const { atMs = 0, patienceMs = null } = arrivals[Number(name)] ?? {};
            if (patienceMs) expect(leftAtMs - startMs).toBeLessThan(atMs + patienceMs);
            for (const rest of pauses) {
              const sinceMs = leftAtMs - startMs - rest.atMs;
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
  test('work a backlog off at 98 % of the ideal rate, and a person leaves at once amid it', async () => {
    const reports = createCaller();
    const person = createCaller();
    const latencyMs = 200;
    const startMs = Date.now();
    const backlog = Array.from({ length: 300 }, (_, i) => reports.call(`${i}`, latencyMs));
    const answered = ask(background, backlog);
    for (let minute = 0; minute < 5; minute += 1) {
      await vi.advanceTimersByTimeAsync(windowMs);
      const askedAtMs = Date.now();
      const answer = quota.run(people, person.call('person', latencyMs));
      await vi.advanceTimersByTimeAsync(latencyMs + 20);
      expect(await answer).toBe('person');
      expect((person.log.at(-1)?.leftAtMs ?? 0) - askedAtMs).toBeLessThanOrEqual(10);
    }
    await vi.advanceTimersByTimeAsync(5 * windowMs);
    await answered;
    // Forty leave in each of seven cycles, and the last twenty when the eighth begins.
    const tookMs = Math.max(...reports.log.map(({ leftAtMs }) => leftAtMs)) - startMs;
    expect((7 * (windowMs + latencyMs)) / tookMs).toBeGreaterThanOrEqual(0.98);
    expect(reports.names()).toEqual(Array.from({ length: 300 }, (_, i) => `${i}`));
    expect(worstWindow(reports.log, windowMs)).toBe(40);
    expect(worstWindow([...reports.log, ...person.log], windowMs)).toBeLessThanOrEqual(50);
  });

  test.each([
    { limit: 50, share: 0.8, slots: 40 },
    { limit: 10, share: 0.8, slots: 8 },
    { limit: 10, share: 0.35, slots: 3 },
    { limit: 1, share: 0.8, slots: 1 },
  ])(
    'leave the background $slots of $limit slots with a share of $share',
    async ({ limit, share, slots }) => {
      await quota.close();
      quota = await createQuota({ callTimeoutMs, backgroundShare: share });
      const { log, call } = createCaller();
      void ask({ ...background, limit }, new Array(limit + 1).fill(call('read')));
      await vi.advanceTimersByTimeAsync(windowMs);
      expect(log).toHaveLength(slots);
    },
  );

  test('let people go before background where both wait', async () => {
    const { names, call } = createCaller();
    void ask({ ...people, limit: 2 }, [call('first'), call('first')]);
    await vi.advanceTimersByTimeAsync(1_000);
    void ask({ ...background, limit: 2 }, [call('report')]);
    await vi.advanceTimersByTimeAsync(1_000);
    void ask({ ...people, limit: 2 }, [call('person'), call('person')]);
    await vi.advanceTimersByTimeAsync(2 * (windowMs + marginMs + 200));
    expect(names()).toEqual(['first', 'first', 'person', 'person', 'report']);
  });

  test('send a report once, and no more of them than their share, however long people keep them waiting', async () => {
    const { log, names, call } = createCaller();
    const slot = { ...people, limit: 2 };
    void ask(slot, [call('person'), call('person')]);
    await vi.advanceTimersByTimeAsync(10);
    const reports = ask({ ...background, limit: 2 }, [call('report 1'), call('report 2')]);
    for (let cycle = 0; cycle < 3; cycle += 1) {
      void ask(slot, [call('person'), call('person')]);
      await vi.advanceTimersByTimeAsync(windowMs + marginMs + 120);
    }
    expect(new Set(names())).toEqual(new Set(['person']));
    await vi.advanceTimersByTimeAsync(4 * windowMs);
    await reports;
    const sent = log.filter(({ name }) => name !== 'person');
    expect(sent.map(({ name }) => name).toSorted()).toEqual(['report 1', 'report 2']);
    expect(worstWindow(sent, windowMs)).toBe(1);
  });
});

test('a raised quota lets those who wait leave at once', async () => {
  const { log, call } = createCaller();
  void ask({ ...people, limit: 1 }, [createCaller().call('in the way')]);
  await vi.advanceTimersByTimeAsync(1_000);
  void ask({ ...people, limit: 1 }, [call('waiting'), call('waiting')]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log).toHaveLength(0);
  void ask({ ...people, limit: 4 }, [call('new')]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log).toHaveLength(3);
});

test('a lowered quota holds as soon as it is known', async () => {
  const { log, call } = createCaller();
  void ask({ ...people, limit: 4 }, new Array(4).fill(call('before')));
  await vi.advanceTimersByTimeAsync(30_000);
  void ask({ ...people, limit: 2 }, new Array(6).fill(call('after')));
  await vi.advanceTimersByTimeAsync(4 * windowMs);
  const after = log.filter(({ name }) => name === 'after');
  expect(after.length).toBe(6);
  expect(worstWindow(after, windowMs)).toBe(2);
});

test.each([0, -1, 1.5, Number.NaN])('a quota of %d is refused', async (limit) => {
  await expect(quota.run({ ...people, limit }, async () => 'never')).rejects.toMatchObject({
    code: 'setting_invalid',
  });
});
