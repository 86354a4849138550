import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createJoinedLines } from '../../../src/hosting/rate-limit/joined-lines.ts';
import { peopleFirstMs } from '../../../src/hosting/rate-limit/ledger/ledger.ts';
import {
  createRateLimiter,
  type Lane,
  type RateLimiter,
} from '../../../src/hosting/rate-limit/rate-limiter.ts';
import { createCallRecorder, createMemoryJournal } from './call-recorder.ts';

const holdMs = 60_250;
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

function schedule(lane: Lane, line: string, count: number, call: () => Promise<string>) {
  for (let i = 0; i < count; i += 1)
    void limiter.schedule({ fingerprint: 'a key', lane, line }, call).catch(() => undefined);
}

test('a slot that is given back goes to the next call at once, also in the other lane', async () => {
  const { log, call } = createCallRecorder();
  const slot = { fingerprint: 'a key', limit: 1 };
  const refused = limiter
    .schedule({ ...slot, lane: 'people', beforeSend: refuseAfter(500) }, call('refused'))
    .catch((error: unknown) => String(error));
  for (const lane of ['background', 'people'] as const)
    void limiter.schedule({ ...slot, lane }, call(lane)).catch(() => undefined);
  const askedAtMs = Date.now();
  await vi.advanceTimersByTimeAsync(600);
  expect(await refused).toBe('Error: no longer allowed');
  expect(log).toMatchObject([{ name: 'people', sentAtMs: askedAtMs + 500 }]);
});

test('a slot that could not be recorded goes to the other lane at once', async () => {
  const journal = createMemoryJournal();
  vi.spyOn(journal, 'recordSent').mockImplementationOnce(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    throw new Error('disk full');
  });
  await limiter.close();
  limiter = await createRateLimiter({ callTimeoutMs, journal });
  const { log, call } = createCallRecorder();
  const slot = { fingerprint: 'a key', limit: 1 };
  const askedAtMs = Date.now();
  for (const lane of ['background', 'people'] as const)
    void limiter.schedule({ ...slot, lane }, call(lane)).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log).toMatchObject([{ name: 'people', sentAtMs: askedAtMs + 500 }]);
});

/** Returns a preparation that refuses the call after a while. */
function refuseAfter(delayMs: number): () => Promise<never> {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    throw new Error('no longer allowed');
  };
}

describe('one person', () => {
  test('uses at most 30 of 50 slots, and a call of another is sent at once', async () => {
    const { log, names, call } = createCallRecorder();
    schedule('people', 'alice', 200, call('alice'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(names()).toEqual(new Array(30).fill('alice'));
    const askedAtMs = Date.now();
    schedule('people', 'bob', 1, call('bob'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log.at(-1)).toMatchObject({ name: 'bob', sentAtMs: askedAtMs });
    await vi.advanceTimersByTimeAsync(7 * holdMs);
    expect(names().filter((name) => name === 'alice')).toHaveLength(200);
  });

  test('is told that the share is used up, not the quota', async () => {
    const { call } = createCallRecorder();
    schedule('people', 'alice', 30, call('alice'));
    await vi.advanceTimersByTimeAsync(1_000);
    const waits: [number, string][] = [];
    const slot = { fingerprint: 'a key', lane: 'people', line: 'alice' } as const;
    const refused = limiter
      .schedule(
        { ...slot, notAfterMs: Date.now() + 2_000, onQueued: (ms, reason) => waits.push([ms, reason]) },
        call('late'),
      )
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(waits).toEqual([[expect.closeTo(holdMs - 900, -2), 'line']]);
    expect(await refused).toMatchObject({
      message: 'None of your share of the request quota was free before the deadline. Nothing was sent.',
    });
    expect(await limiter.usage('a key', 50, 'alice')).toMatchObject({
      ownPeople: { used: 30, limit: 30 },
      waitReason: { people: 'line' },
    });
    expect(await limiter.usage('a key', 50, 'bob')).toMatchObject({
      ownPeople: { used: 0 },
      waitMs: { people: 0 },
    });
  });

  test('whose share is used up is told the shorter wait of a person who has joined the call', async () => {
    const { names, call } = createCallRecorder();
    schedule('people', 'carol', 20, call('carol'));
    await vi.advanceTimersByTimeAsync(20_000);
    schedule('people', 'alice', 30, call('alice'));
    await vi.advanceTimersByTimeAsync(1_000);
    const joinedLines = createJoinedLines();
    const waits: number[] = [];
    const slot = { fingerprint: 'a key', lane: 'people', line: 'alice', joinedLines } as const;
    void limiter
      .schedule({ ...slot, onQueued: (ms) => waits.push(ms) }, call('joined'))
      .catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    joinedLines.add('bob');
    // The wait is told again, because the reason has changed.
    await limiter.pause('a key', Date.now() + 5_000);
    schedule('people', 'dora', 1, call('dora'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(waits).toEqual([expect.closeTo(holdMs - 900, -2), expect.closeTo(holdMs - 20_900, -2)]);
    await vi.advanceTimersByTimeAsync(holdMs - 21_000);
    expect(names()).toContain('joined');
  });

  test('whose share is used up gets more slots at once when the quota is raised', async () => {
    const { names, call } = createCallRecorder();
    schedule('people', 'alice', 70, call('alice'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(names()).toHaveLength(30);
    void limiter.schedule({ fingerprint: 'a key', lane: 'people', line: 'bob', limit: 100 }, call('bob'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(names().filter((name) => name === 'alice')).toHaveLength(60);
  });

  test('can use all slots if the share says so', async () => {
    await limiter.close();
    limiter = await createRateLimiter({ callTimeoutMs, shares: { person: 1 } });
    const { names, call } = createCallRecorder();
    schedule('people', 'alice', 60, call('alice'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(names()).toHaveLength(50);
  });
});

test('people take turns for the slots that become free', async () => {
  const { names, call } = createCallRecorder();
  for (const name of ['alice', 'bob']) schedule('people', name, 25, call('before'));
  await vi.advanceTimersByTimeAsync(1_000);
  schedule('people', 'alice', 40, call('alice'));
  for (const name of ['bob', 'carol']) schedule('people', name, 2, call(name));
  await vi.advanceTimersByTimeAsync(holdMs + 1_000);
  expect(names().slice(50, 56)).toEqual(['alice', 'bob', 'carol', 'alice', 'bob', 'carol']);
});

test('after 70 reads of one report, a read of another is sent at once, and then they take turns', async () => {
  const { log, names, call } = createCallRecorder();
  schedule('background', 'fleet', 70, call('fleet'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names()).toHaveLength(36);
  const askedAtMs = Date.now();
  schedule('background', 'web', 10, call('web'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(log.slice(36).map(({ name, sentAtMs }) => [name, sentAtMs])).toEqual(
    new Array(4).fill(['web', askedAtMs]),
  );
  await vi.advanceTimersByTimeAsync(holdMs);
  expect(names().slice(40, 52)).toEqual([...new Array(6).fill(['fleet', 'web']).flat()]);
});

test("a report uses a raised quota at once, although a person's call waited until its deadline", async () => {
  const { names, call } = createCallRecorder();
  const slot = { fingerprint: 'a key', limit: 1 };
  const schedule = (options: Parameters<RateLimiter['schedule']>[0], name: string) =>
    void limiter.schedule(options, call(name)).catch(() => undefined);
  schedule({ ...slot, lane: 'people' }, 'first');
  await vi.advanceTimersByTimeAsync(1_000);
  schedule({ ...slot, lane: 'people', notAfterMs: Date.now() + 2_000 }, 'late');
  await vi.advanceTimersByTimeAsync(3_000);
  schedule({ ...slot, lane: 'background', limit: 10 }, 'report');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names()).toEqual(['first', 'report']);
});

test('a report is sent at once after the last person who waited', async () => {
  const { log, names, call } = createCallRecorder();
  for (const name of ['alice', 'bob']) schedule('people', name, 25, call('before'));
  await vi.advanceTimersByTimeAsync(1_000);
  schedule('people', 'carol', 1, call('carol'));
  schedule('background', 'fleet', 1, call('fleet'));
  await vi.advanceTimersByTimeAsync(2 * holdMs);
  expect(names().slice(50)).toEqual(['carol', 'fleet']);
  const [carol, fleet] = log.slice(50);
  expect((fleet?.sentAtMs ?? 0) - (carol?.sentAtMs ?? 0)).toBeLessThan(peopleFirstMs);
});

test('a line that has joined is told to whoever listens before or after, and once', () => {
  const joined = createJoinedLines();
  const [before, after, left]: [string[], string[], string[]] = [[], [], []];
  joined.subscribe((line) => before.push(line));
  joined.subscribe((line) => left.push(line))();
  joined.add('alice');
  joined.add('alice');
  joined.subscribe((line) => after.push(line));
  joined.add('bob');
  expect([before, after, left]).toEqual([['alice', 'bob'], ['alice', 'bob'], []]);
});

test('a limiter that was closed while calls waited leaves no timer', async () => {
  const { call } = createCallRecorder();
  schedule('people', 'alice', 40, call('alice'));
  schedule('background', 'fleet', 40, call('fleet'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  await limiter.close();
  expect(vi.getTimerCount()).toBe(0);
});

test('a call after the limiter was closed is rejected, and not sent', async () => {
  await limiter.close();
  const { log, call } = createCallRecorder();
  const late = limiter.schedule({ fingerprint: 'a key', lane: 'people' }, call('late'));
  await expect(late).rejects.toMatchObject({ code: 'stopped' });
  expect(log).toEqual([]);
});
