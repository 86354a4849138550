import { describe, test } from 'vitest';
import { createQuota } from '../../src/hosting/quota/quota.ts';
import type { RedisServer } from '../services/redis.ts';
import { createCaller, type LoggedCall, worstWindow } from './quota-calls.ts';
import { createFleet } from './quota-fleet.ts';
import {
  ask,
  command,
  end,
  expirationMs,
  limit,
  open,
  people,
  slackMs,
  timing,
  windowMs,
} from './quota-on-redis.ts';

async function untilLeft(log: readonly LoggedCall[], count: number) {
  for (let waitedMs = 0; log.length < count; waitedMs += 10) {
    if (waitedMs > 20_000) throw new Error(`${log.length} calls have left, and not ${count}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('Redis that has lost its state', () => {
  test.concurrent.for([
    {
      how: 'in a crash',
      lose: async (redis: RedisServer) => {
        await redis.kill();
        await redis.start();
      },
    },
    { how: 'under open connections', lose: (redis: RedisServer) => command(redis, 'flushall') },
    {
      how: 'in part',
      lose: (redis: RedisServer) => command(redis, 'del', `b_rackhand:quota:${people.key}_settings`),
    },
  ])(
    '$how lets nothing leave while calls of before may count, and then goes on',
    async ({ lose }, { expect, onTestFinished }) => {
      const opened = await open(2);
      onTestFinished(() => end(opened));
      const caller = createCaller();
      const answers = ask(opened.quotas, 3 * limit, caller);
      await untilLeft(caller.log, limit);
      const lostAtMs = Date.now();
      await lose(opened.redis);
      // Until then it may not have been lost yet.
      const goneAtMs = Date.now();
      await answers;
      const [next = Number.NaN] = caller.log
        .map(({ leftAtMs }) => leftAtMs)
        .filter((atMs) => atMs > goneAtMs);
      expect(next - lostAtMs).toBeGreaterThanOrEqual(expirationMs - 1);
      expect(next - goneAtMs).toBeLessThan(expirationMs + slackMs);
      expect(worstWindow(caller.log, windowMs)).toBe(limit);
    },
  );

  test.concurrent('is set up again by a replica that only waits', async ({ expect, onTestFinished }) => {
    const opened = await open(1);
    const fleet = createFleet({ ...timing, redisUrl: opened.redis.url });
    onTestFinished(async () => {
      await fleet.end();
      await end(opened);
    });
    const replica = await fleet.start('a');
    const slot = { key: people.key, limit };
    replica.tell({ do: 'call', lane: 'people', count: limit, latencyMs: 10, slot });
    await fleet.until(() => fleet.calls().length === limit, slackMs);
    const caller = createCaller();
    const answers = ask(opened.quotas, 2, caller);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await replica.kill();
    await command(opened.redis, 'flushall');
    expect(await answers).toEqual(['0', '1']);
    expect(worstWindow([...fleet.calls(), ...caller.log], windowMs)).toBeLessThanOrEqual(limit);
  });

  test.concurrent('knows nothing of a replica that starts afterwards, which waits all the same', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await open(1);
    onTestFinished(() => end(opened));
    const caller = createCaller();
    await ask(opened.quotas, limit, caller);
    const lostAtMs = Date.now();
    await command(opened.redis, 'flushall');
    opened.quotas.push(await createQuota({ ...timing, redisUrl: opened.redis.url }));
    await ask(opened.quotas.slice(1), 1, caller);
    expect((caller.log.at(-1)?.leftAtMs ?? 0) - lostAtMs).toBeGreaterThanOrEqual(expirationMs - 1);
    expect(worstWindow(caller.log, windowMs)).toBeLessThanOrEqual(limit);
  });
});

test.concurrent('Redis that was killed with an append-only file goes on where it was', async ({
  expect,
  onTestFinished,
}) => {
  const opened = await open(2, { aof: true });
  onTestFinished(() => end(opened));
  const caller = createCaller();
  const answers = ask(opened.quotas, 3 * limit, caller);
  await untilLeft(caller.log, limit);
  await opened.redis.kill();
  await opened.redis.start();
  const backAtMs = Date.now();
  await answers;
  expect((caller.log[limit]?.leftAtMs ?? Number.NaN) - backAtMs).toBeLessThan(expirationMs);
  expect(worstWindow(caller.log, windowMs)).toBe(limit);
});

describe('while Redis is away', () => {
  test.concurrent('callers wait until their deadline, and when it is back calls leave again', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await open(1, { aof: true });
    onTestFinished(() => end(opened));
    const { redis, quotas } = opened;
    await redis.kill();
    quotas.push(await createQuota({ ...timing, redisUrl: redis.url }));
    const caller = createCaller();
    const answers = ask(quotas, 4, caller);
    const refused = quotas.map((quota) =>
      quota
        .run({ ...people, notAfterMs: Date.now() + 700 }, caller.call('late'))
        .catch((error: unknown) => error),
    );
    const usage = await quotas[0]?.usage(people.key, limit);
    expect(usage?.waitMs.people).toBeGreaterThan(0);
    expect(await Promise.all(refused)).toMatchObject([
      { code: 'deadline_passed' },
      { code: 'deadline_passed' },
    ]);
    expect(caller.log).toEqual([]);
    await redis.start();
    expect(await answers).toEqual(['0', '1', '2', '3']);
    expect(caller.names()).not.toContain('late');
  });

  test.concurrent('and silent, nothing leaves, and usage is told all the same', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await open(1);
    onTestFinished(() => end(opened));
    const caller = createCaller();
    opened.redis.freeze();
    const answers = ask(opened.quotas, 2, caller);
    const usage = await opened.quotas[0]?.usage(people.key, limit);
    expect(usage).toMatchObject({ waiting: { people: 2 }, waitMs: { people: expect.any(Number) } });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(caller.log).toEqual([]);
    opened.redis.thaw();
    expect(await answers).toEqual(['0', '1']);
  });

  test.concurrent('a replica can be closed, and its process ends by itself', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await open(1);
    const fleet = createFleet({ ...timing, redisUrl: opened.redis.url });
    onTestFinished(async () => {
      await fleet.end();
      await end(opened);
    });
    const replica = await fleet.start('a');
    const slot = { key: people.key, limit };
    replica.tell({ do: 'call', lane: 'people', count: 2 * limit, latencyMs: 10, slot });
    await fleet.until(() => fleet.calls().length === limit, slackMs);
    await opened.redis.kill();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await replica.close();
    expect(fleet.lines().filter(({ event }) => event === 'refused')).toHaveLength(limit);
  });
});
