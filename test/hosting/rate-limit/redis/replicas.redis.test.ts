import { afterAll, beforeAll, test } from 'vitest';
import {
  createRateLimiter,
  type RateLimiterOptions,
} from '../../../../src/hosting/rate-limit/rate-limiter.ts';
import { type RedisServer, startRedis } from '../../../services/redis.ts';
import { createCallRecorder, maxCallsInWindow } from '../call-recorder.ts';
import {
  countOccupiedSlots,
  expirationMs,
  holdMs,
  sendRedisCommand,
  slackMs,
  timing,
  windowMs,
} from './redis-limiter-harness.ts';
import { createReplicaFleet } from './replica-fleet.ts';

const limit = 10;

let redis: RedisServer;
let options: RateLimiterOptions;

beforeAll(async () => {
  redis = await startRedis();
  options = { ...timing, redisUrl: redis.url };
  // An empty Redis stops all calls at first.
  const limiter = await createRateLimiter(options);
  await limiter.schedule({ fingerprint: 'warming up', lane: 'people' }, async () => undefined);
  await limiter.close();
});

afterAll(() => redis.stop());

test.concurrent('a killed replica exceeds the quota in no window, and its slots are released', async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createReplicaFleet(options);
  onTestFinished(fleet.end);
  const slot = { fingerprint: 'killed', limit };
  const a = await fleet.start('a');
  const b = await fleet.start('b');
  const c = await fleet.start('c');
  for (const replica of [a, b, c]) {
    replica.send({ kind: 'call', lane: 'background', count: 16, latencyMs: 200, slot });
  }
  await fleet.until(() => fleet.calls().length > 8, holdMs + slackMs);
  await a.kill();
  const lost = 16 - fleet.calls().filter(({ name }) => name.startsWith('a')).length;
  const rest = 48 - lost - fleet.calls().length;
  // The killed replica's slots are released after their expiration. Eight calls are sent at a time.
  const restMs = expirationMs + Math.ceil(rest / 8) * (holdMs + 200) + slackMs;
  await fleet.until(() => fleet.calls().length === 48 - lost, restMs);
  expect(maxCallsInWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);

  // All slots of the quota and of the lane are free again.
  await fleet.until(
    () => fleet.calls().every((call) => call.answeredAtMs + holdMs < Date.now()),
    2 * expirationMs,
  );
  const latencyMs = 450;
  b.send({ kind: 'call', lane: 'background', count: 8, latencyMs, slot });
  c.send({ kind: 'call', lane: 'people', count: 2, latencyMs, slot });
  await fleet.until(() => fleet.calls().length === 48 - lost + limit, slackMs);
  const departures = fleet
    .calls()
    .slice(-limit)
    .map(({ sentAtMs }) => sentAtMs);
  // With a lost slot, the last call would have waited for the first.
  expect(Math.max(...departures)).toBeLessThan(Math.min(...departures) + latencyMs + holdMs);
  expect(maxCallsInWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);
  expect(fleet.lines().filter(({ event }) => event === 'rejected')).toEqual([]);
  await Promise.all([b.close(), c.close()]);
});

test.concurrent("a person's call is sent at once despite the backlog of other replicas", async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createReplicaFleet(options);
  onTestFinished(fleet.end);
  const slot = { fingerprint: 'beside a backlog', limit };
  const [a, b, c] = await Promise.all([fleet.start('a'), fleet.start('b'), fleet.start('c')]);
  a.send({ kind: 'call', lane: 'background', count: 30, latencyMs: 200, slot });
  b.send({ kind: 'call', lane: 'background', count: 30, latencyMs: 200, slot });
  for (let asked = 1; asked <= 3; asked += 1) {
    await fleet.until(() => fleet.calls().length >= asked * 8 + asked - 1, 3 * holdMs + slackMs);
    const askedAtMs = Date.now();
    c.send({ kind: 'call', lane: 'people', count: 1, latencyMs: 200, slot });
    const persons = () => fleet.calls().filter(({ name }) => name.startsWith('c'));
    await fleet.until(() => persons().length === asked, slackMs);
    // The rest of the backlog takes longer than four windows.
    expect((persons().at(-1)?.sentAtMs ?? 0) - askedAtMs).toBeLessThan(3 * holdMs);
  }
  expect(maxCallsInWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);
});

test.concurrent('a replica that was frozen while it waited continues when it wakes up', async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createReplicaFleet(options);
  onTestFinished(fleet.end);
  const slot = { fingerprint: 'silent', limit: 2 };
  const a = await fleet.start('a');
  const b = await fleet.start('b');
  a.send({ kind: 'call', lane: 'people', count: 2, latencyMs: 200, slot });
  await fleet.until(() => fleet.calls().length === 2, slackMs);
  b.send({ kind: 'call', lane: 'people', count: 2, latencyMs: 200, slot });
  // Redis knows the replica whose calls wait.
  await expect
    .poll(() => sendRedisCommand(redis, 'zcard', `rackhand:ledger:people:${slot.fingerprint}`))
    .toBe(1);
  b.freeze();
  await expect.poll(() => countOccupiedSlots(redis, slot.fingerprint)).toBe(0);
  b.thaw();
  await fleet.until(() => fleet.calls().length === 4, holdMs + slackMs);
  expect(maxCallsInWindow(fleet.calls(), windowMs)).toBe(2);
});

test.concurrent.for(['in slot', 'sent'] as const)(
  'a replica that was frozen longer than its slots last, with a call %s, does not use them when it wakes up',
  async (freezeWhen, { expect, onTestFinished }) => {
    const fleet = createReplicaFleet(options);
    onTestFinished(fleet.end);
    const a = await fleet.start('a');
    const b = await fleet.start('b');
    const slot = { fingerprint: `frozen ${freezeWhen}`, limit };
    b.send({ kind: 'call', lane: 'people', count: limit, latencyMs: 200, slot, freezeWhen });
    await expect.poll(() => countOccupiedSlots(redis, slot.fingerprint)).toBeGreaterThan(0);
    await expect.poll(() => countOccupiedSlots(redis, slot.fingerprint)).toBe(0);
    a.send({ kind: 'call', lane: 'people', count: limit, latencyMs: 200, slot });
    const ofA = () => fleet.calls().filter(({ name }) => name.startsWith('a'));
    await fleet.until(() => ofA().length === limit, slackMs);
    b.thaw();
    await fleet.until(() => fleet.calls().length === 2 * limit, expirationMs + holdMs + slackMs);
    expect(maxCallsInWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);
  },
);

test.for([5_000, -5_000, 3_600_000])(
  'a replica whose clock is off by %d ms sends its share within the same quota',
  { concurrent: true },
  async (aheadMs, { expect, onTestFinished }) => {
    const fleet = createReplicaFleet(options);
    onTestFinished(fleet.end);
    const slot = { fingerprint: `skewed by ${aheadMs}`, limit };
    const a = await fleet.start('a');
    const skewed = await fleet.start('skewed', aheadMs);
    // The calls take nearly the maximum duration, so that a slot freed by a wrong clock would be
    // noticed.
    for (const replica of [a, skewed])
      replica.send({ kind: 'call', lane: 'people', count: 15, latencyMs: 450, slot });
    await fleet.until(() => fleet.calls().length === 30, 3 * (holdMs + 450) + slackMs);
    expect(maxCallsInWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);
    expect(fleet.lines().filter(({ detail }) => detail?.includes('clock'))).toEqual([]);
  },
);

test.concurrent('every replica obeys a pause, including those that start later', async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createReplicaFleet(options);
  onTestFinished(fleet.end);
  const slot = { fingerprint: 'paused', limit };
  const a = await fleet.start('a');
  const b = await fleet.start('b');
  b.send({ kind: 'call', lane: 'people', count: 1, latencyMs: 10, slot });
  await fleet.until(() => fleet.calls().length === 1, slackMs);
  const untilMs = Date.now() + 3_000;
  a.send({ kind: 'pause', fingerprint: slot.fingerprint, untilMs });
  a.send({ kind: 'pause', fingerprint: slot.fingerprint, untilMs: untilMs - 2_500 });
  await expect
    .poll(() => sendRedisCommand(redis, 'hget', 'rackhand:ledger', `pause:${slot.fingerprint}`))
    .not.toBeNull();
  const c = await fleet.start('c');
  for (const replica of [a, b, c])
    replica.send({ kind: 'call', lane: 'people', count: 3, latencyMs: 10, slot });
  await fleet.until(() => fleet.calls().length === 10, 3_000 + slackMs);
  const [, ...paused] = fleet.calls();
  expect(Math.min(...paused.map(({ sentAtMs }) => sentAtMs))).toBeGreaterThanOrEqual(untilMs);
});

test.concurrent('background calls are sent once and within their share, however long people delay them', async ({
  expect,
  onTestFinished,
}) => {
  const limiter = await createRateLimiter(options);
  onTestFinished(limiter.close);
  const { log, names, call } = createCallRecorder();
  const slot = { fingerprint: 'starved', limit: 2 };
  const persons: Promise<unknown>[] = [];
  const persist = () => persons.push(limiter.schedule({ ...slot, lane: 'people' }, call('person')));
  persist();
  persist();
  await Promise.all(persons);
  const reports = ['1', '2'].map((name) => limiter.schedule({ ...slot, lane: 'background' }, call(name)));
  // Lane slots expire after 3.8 s. People's calls occupy all slots for longer.
  for (let cycle = 0; cycle < 5; cycle += 1) {
    persist();
    persist();
    await Promise.all(persons);
  }
  expect(new Set(names())).toEqual(new Set(['person']));
  expect(await Promise.all(reports)).toEqual(['1', '2']);
  const sent = log.filter(({ name }) => name !== 'person');
  expect(sent).toHaveLength(2);
  expect(maxCallsInWindow(sent, windowMs)).toBe(1);
});

test.concurrent('people who wait on one replica go before a background call of another', async ({
  expect,
  onTestFinished,
}) => {
  const withPeople = await createRateLimiter(options);
  const withReports = await createRateLimiter(options);
  onTestFinished(async () => void (await Promise.all([withPeople.close(), withReports.close()])));
  const { names, call } = createCallRecorder();
  const slot = { fingerprint: 'people first', limit: 2 };
  const schedule = (limiter: typeof withPeople, lane: 'people' | 'background', name: string) =>
    limiter.schedule({ ...slot, lane }, call(name));
  await Promise.all(['1', '2'].map((name) => schedule(withPeople, 'people', name)));
  const report = schedule(withReports, 'background', 'report');
  const people = ['3', '4', '5', '6'].map((name) => schedule(withPeople, 'people', name));
  await Promise.all([report, ...people]);
  expect(names()).toEqual(['1', '2', '3', '4', '5', '6', 'report']);
});

test.concurrent('a changed quota applies on every replica', async ({ expect, onTestFinished }) => {
  const first = await createRateLimiter(options);
  const second = await createRateLimiter(options);
  onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
  const slot = { fingerprint: 'changed', lane: 'people' } as const;
  await Promise.all([1, 2].map(() => first.schedule({ ...slot, limit: 2 }, async () => undefined)));
  await Promise.all([1, 2].map(() => second.schedule({ ...slot, limit: 4 }, async () => undefined)));
  expect(await first.usage(slot.fingerprint, 4)).toMatchObject({ used: { people: 4, background: 0 } });
});

test.concurrent('a replica that closes leaves its slots occupied', async ({ expect, onTestFinished }) => {
  const first = await createRateLimiter(options);
  const second = await createRateLimiter(options);
  onTestFinished(second.close);
  const { log, call } = createCallRecorder();
  const slot = { fingerprint: 'closed', lane: 'people', limit: 3 } as const;
  await Promise.all([1, 2, 3].map(() => first.schedule(slot, call('before'))));
  await first.close();
  await Promise.all([1, 2, 3].map(() => second.schedule(slot, call('after'))));
  expect(maxCallsInWindow(log, windowMs)).toBe(3);
});

test.concurrent('a key that was just dropped can be used again at once', async ({
  expect,
  onTestFinished,
}) => {
  const limiter = await createRateLimiter({ ...options, windowMs: 300, marginMs: 50 });
  onTestFinished(limiter.close);
  const slot = { fingerprint: 'dropped', lane: 'people', limit: 1 } as const;
  for (let round = 0; round < 4; round += 1) {
    await limiter.schedule(slot, async () => undefined);
    await expect.poll(() => countOccupiedSlots(redis, slot.fingerprint), { interval: 1 }).toBe(0);
    const askedAtMs = Date.now();
    await Promise.all([1, 2].map(() => limiter.schedule(slot, async () => undefined)));
    expect(Date.now() - askedAtMs).toBeLessThan(slackMs);
  }
});
