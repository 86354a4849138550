import { afterAll, beforeAll, test } from 'vitest';
import { createQuota, type QuotaOptions } from '../../src/hosting/quota/quota.ts';
import { type RedisServer, startRedis } from '../services/redis.ts';
import { createCaller, worstWindow } from './quota-calls.ts';
import { createFleet } from './quota-fleet.ts';
import { expirationMs, holdMs, slackMs, timing, windowMs } from './quota-on-redis.ts';

const limit = 10;

let redis: RedisServer;
let options: QuotaOptions;

beforeAll(async () => {
  redis = await startRedis();
  options = { ...timing, redisUrl: redis.url };
  // A Redis without memory lets nothing leave at first.
  const quota = await createQuota(options);
  await quota.run({ key: 'warming up', lane: 'people' }, async () => undefined);
  await quota.close();
});

afterAll(() => redis.stop());

test.concurrent('a killed replica takes no window above the quota, and its slots come back', async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createFleet(options);
  onTestFinished(fleet.end);
  const slot = { key: 'killed', limit };
  const a = await fleet.start('a');
  const b = await fleet.start('b');
  const c = await fleet.start('c');
  for (const replica of [a, b, c]) {
    replica.tell({ do: 'call', lane: 'background', count: 16, latencyMs: 200, slot });
  }
  await fleet.until(() => fleet.calls().length > 8, holdMs + slackMs);
  await a.kill();
  const lost = 16 - fleet.calls().filter(({ name }) => name.startsWith('a')).length;
  const rest = 48 - lost - fleet.calls().length;
  // The dead one's slots come back after their expiration, and eight go at a time.
  const restMs = expirationMs + Math.ceil(rest / 8) * (holdMs + 200) + slackMs;
  await fleet.until(() => fleet.calls().length === 48 - lost, restMs);
  expect(worstWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);

  // Every slot and every place in the lane can be had again at once.
  await fleet.until(
    () => fleet.calls().every((call) => call.answeredAtMs + holdMs < Date.now()),
    2 * expirationMs,
  );
  const latencyMs = 450;
  b.tell({ do: 'call', lane: 'background', count: 8, latencyMs, slot });
  c.tell({ do: 'call', lane: 'people', count: 2, latencyMs, slot });
  await fleet.until(() => fleet.calls().length === 48 - lost + limit, slackMs);
  const departures = fleet
    .calls()
    .slice(-limit)
    .map(({ leftAtMs }) => leftAtMs);
  // Were one missing, the last would have waited for the slot of the first.
  expect(Math.max(...departures)).toBeLessThan(Math.min(...departures) + latencyMs + holdMs);
  expect(worstWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);
  expect(fleet.lines().filter(({ event }) => event === 'refused')).toEqual([]);
  await Promise.all([b.close(), c.close()]);
}, 60_000);

test.concurrent('a person leaves at once beside a backlog of the other replicas', async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createFleet(options);
  onTestFinished(fleet.end);
  const slot = { key: 'beside a backlog', limit };
  const [a, b, c] = await Promise.all([fleet.start('a'), fleet.start('b'), fleet.start('c')]);
  a.tell({ do: 'call', lane: 'background', count: 30, latencyMs: 200, slot });
  b.tell({ do: 'call', lane: 'background', count: 30, latencyMs: 200, slot });
  for (let asked = 1; asked <= 3; asked += 1) {
    await fleet.until(() => fleet.calls().length >= asked * 8 + asked - 1, 3 * holdMs);
    const askedAtMs = Date.now();
    c.tell({ do: 'call', lane: 'people', count: 1, latencyMs: 200, slot });
    const persons = () => fleet.calls().filter(({ name }) => name.startsWith('c'));
    await fleet.until(() => persons().length === asked, slackMs);
    expect((persons().at(-1)?.leftAtMs ?? 0) - askedAtMs).toBeLessThan(holdMs);
  }
  expect(worstWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);
}, 30_000);

test.concurrent('a replica that Redis has given up as silent goes on when it wakes', async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createFleet(options);
  onTestFinished(fleet.end);
  const slot = { key: 'silent', limit: 2 };
  const a = await fleet.start('a');
  const b = await fleet.start('b');
  a.tell({ do: 'call', lane: 'people', count: 2, latencyMs: 200, slot });
  await fleet.until(() => fleet.calls().length === 2, slackMs);
  b.tell({ do: 'call', lane: 'people', count: 2, latencyMs: 200, slot });
  await new Promise((resolve) => setTimeout(resolve, 300));
  // A client is given up after a sixth of a window.
  b.freeze();
  await new Promise((resolve) => setTimeout(resolve, windowMs / 2));
  b.thaw();
  await fleet.until(() => fleet.calls().length === 4, holdMs + slackMs);
  expect(worstWindow(fleet.calls(), windowMs)).toBe(2);
}, 30_000);

test.concurrent('a replica frozen beyond the life of its slots does not use them when it wakes', async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createFleet(options);
  onTestFinished(fleet.end);
  const a = await fleet.start('a');
  const b = await fleet.start('b');
  for (let round = 0; round < 2; round += 1) {
    const slot = { key: `frozen ${round}`, limit };
    const before = fleet.lines().length;
    b.tell({ do: 'call', lane: 'people', count: limit, latencyMs: 200, slot });
    // The first has left, and the others have their slots or are asking for them.
    await fleet.until(() => fleet.lines().length > before, slackMs, 0);
    b.freeze();
    await new Promise((resolve) => setTimeout(resolve, expirationMs + 200));
    a.tell({ do: 'call', lane: 'people', count: limit, latencyMs: 200, slot });
    await new Promise((resolve) => setTimeout(resolve, 300));
    b.thaw();
    await fleet.until(
      () => fleet.calls().length === (round + 1) * 2 * limit,
      expirationMs + holdMs + slackMs,
    );
    const calls = fleet.calls().slice(round * 2 * limit);
    // A call that was on its way when its process froze was answered when it woke; only its departure tells of the quota.
    const departures = calls.map(({ leftAtMs }) => ({ leftAtMs, answeredAtMs: leftAtMs }));
    expect(worstWindow(departures, windowMs)).toBeLessThanOrEqual(limit);
  }
}, 60_000);

test.for([5_000, -5_000, 3_600_000])(
  'a replica whose clock is off by %d ms sends nothing until it is right, and harms no other',
  { concurrent: true, timeout: 40_000 },
  async (aheadMs, { expect, onTestFinished }) => {
    const fleet = createFleet(options);
    onTestFinished(fleet.end);
    const slot = { key: `skewed by ${aheadMs}`, limit };
    const a = await fleet.start('a');
    const b = await fleet.start('b');
    const skewed = await fleet.start('skewed', aheadMs);
    skewed.tell({ do: 'call', lane: 'people', count: 1, latencyMs: 450, slot });
    // Calls that take nearly as long as they may, so that a slot which expired by a wrong clock would be missed.
    a.tell({ do: 'call', lane: 'people', count: 2 * limit, latencyMs: 450, slot });
    b.tell({ do: 'call', lane: 'people', count: limit, latencyMs: 450, slot });
    await fleet.until(() => fleet.calls().length === 3 * limit, 3 * (holdMs + 450) + slackMs);
    expect(fleet.calls().filter(({ name }) => name.startsWith('skewed'))).toEqual([]);
    expect(fleet.lines().some(({ call, detail }) => call === 'skewed' && detail?.includes('clock'))).toBe(
      true,
    );
    skewed.tell({ do: 'skew', aheadMs: 0 });
    await fleet.until(() => fleet.calls().length === 3 * limit + 1, holdMs + 450 + slackMs);
    expect(worstWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(limit);
  },
);

test.concurrent('a pause is obeyed by every replica, those that start later too', async ({
  expect,
  onTestFinished,
}) => {
  const fleet = createFleet(options);
  onTestFinished(fleet.end);
  const slot = { key: 'paused', limit };
  const a = await fleet.start('a');
  const b = await fleet.start('b');
  b.tell({ do: 'call', lane: 'people', count: 1, latencyMs: 10, slot });
  await fleet.until(() => fleet.calls().length === 1, slackMs);
  const untilMs = Date.now() + 3_000;
  a.tell({ do: 'pause', key: slot.key, untilMs });
  a.tell({ do: 'pause', key: slot.key, untilMs: untilMs - 2_500 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const c = await fleet.start('c');
  for (const replica of [a, b, c])
    replica.tell({ do: 'call', lane: 'people', count: 3, latencyMs: 10, slot });
  await fleet.until(() => fleet.calls().length === 10, 3_000 + slackMs);
  const [, ...paused] = fleet.calls();
  expect(Math.min(...paused.map(({ leftAtMs }) => leftAtMs))).toBeGreaterThanOrEqual(untilMs);
}, 30_000);

test.concurrent('reports are sent once and keep to their share, however long people keep them waiting', async ({
  expect,
  onTestFinished,
}) => {
  const quota = await createQuota(options);
  onTestFinished(quota.close);
  const { log, names, call } = createCaller();
  const slot = { key: 'starved', limit: 2 };
  const persons: Promise<unknown>[] = [];
  const persist = () => persons.push(quota.run({ ...slot, lane: 'people' }, call('person')));
  persist();
  persist();
  await Promise.all(persons);
  const reports = ['1', '2'].map((name) => quota.run({ ...slot, lane: 'background' }, call(name)));
  // A place in the lane expires after 3.8 s; people take every slot for longer.
  for (let cycle = 0; cycle < 5; cycle += 1) {
    persist();
    persist();
    await Promise.all(persons);
  }
  expect(new Set(names())).toEqual(new Set(['person']));
  expect(await Promise.all(reports)).toEqual(['1', '2']);
  const sent = log.filter(({ name }) => name !== 'person');
  expect(sent).toHaveLength(2);
  expect(worstWindow(sent, windowMs)).toBe(1);
});

test.concurrent('a quota that differs from the one in Redis prevails', async ({ expect, onTestFinished }) => {
  const first = await createQuota(options);
  const second = await createQuota(options);
  onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
  const slot = { key: 'changed', lane: 'people' } as const;
  await Promise.all([1, 2].map(() => first.run({ ...slot, limit: 2 }, async () => undefined)));
  await Promise.all([1, 2].map(() => second.run({ ...slot, limit: 4 }, async () => undefined)));
  expect(await first.usage(slot.key, 4)).toMatchObject({ used: { people: 4, background: 0 } });
});

test.concurrent('a replica that closes leaves its slots taken', async ({ expect, onTestFinished }) => {
  const first = await createQuota(options);
  const second = await createQuota(options);
  onTestFinished(second.close);
  const { log, call } = createCaller();
  const slot = { key: 'closed', lane: 'people', limit: 3 } as const;
  await Promise.all([1, 2, 3].map(() => first.run(slot, call('before'))));
  await first.close();
  await Promise.all([1, 2, 3].map(() => second.run(slot, call('after'))));
  expect(worstWindow(log, windowMs)).toBe(3);
});

test.concurrent('a key that comes back as soon as it was dropped hears of its slots', async ({
  expect,
  onTestFinished,
}) => {
  const quota = await createQuota({ ...options, windowMs: 300, marginMs: 50 });
  onTestFinished(quota.close);
  const slot = { key: 'dropped', lane: 'people', limit: 1 } as const;
  for (let round = 0; round < 4; round += 1) {
    await quota.run(slot, async () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 340 + round * 10));
    // The second has to be told when the first one's slot is free again.
    const askedAtMs = Date.now();
    await Promise.all([1, 2].map(() => quota.run(slot, async () => undefined)));
    expect(Date.now() - askedAtMs).toBeLessThan(slackMs);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
});
