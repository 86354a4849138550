import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { describe, test } from 'vitest';
import { createQuota, type Quota } from '../../src/hosting/quota/quota.ts';
import { type RedisServer, startRedis } from '../services/redis.ts';
import { createCaller, type LoggedCall, worstWindow } from './quota-calls.ts';
import { createFleet } from './quota-fleet.ts';

const windowMs = 1_000;
const timing = { windowMs, marginMs: 50, callTimeoutMs: 500, startTimeoutMs: 300 };
const holdMs = 1_050;
const expirationMs = 1_900;
const slackMs = 2_000;
const limit = 6;
const people = { key: 'a key', lane: 'people', limit } as const;

/** Starts a Redis and opens as many quotas on it, when it has remembered for long enough. */
async function open(
  count: number,
  settings?: { aof: boolean },
): Promise<{ redis: RedisServer; quotas: Quota[] }> {
  const redis = await startRedis(settings);
  const quotas = await Promise.all(
    Array.from({ length: count }, () => createQuota({ ...timing, redisUrl: redis.url })),
  );
  await Promise.all(
    quotas.map((quota) => quota.run({ ...people, key: 'warming up' }, async () => undefined)),
  );
  return { redis, quotas };
}

async function end({ redis, quotas }: { redis: RedisServer; quotas: readonly Quota[] }) {
  await Promise.all(quotas.map((quota) => quota.close()));
  await redis.stop();
}

/** Asks for calls of the key, of each quota in turn. */
function ask(quotas: readonly Quota[], count: number, { call }: ReturnType<typeof createCaller>) {
  return Promise.all(
    Array.from({ length: count }, (_, i) => quotas[i % quotas.length]?.run(people, call(`${i}`))),
  );
}

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
      await answers;
      const [next = Number.NaN] = caller.log
        .map(({ leftAtMs }) => leftAtMs)
        .filter((atMs) => atMs > lostAtMs);
      expect(next - lostAtMs).toBeGreaterThanOrEqual(expirationMs - 1);
      expect(next - lostAtMs).toBeLessThan(expirationMs + slackMs);
      expect(worstWindow(caller.log, windowMs)).toBe(limit);
    },
  );

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
  const firstLeftMs = caller.log[0]?.leftAtMs ?? 0;
  await opened.redis.kill();
  await opened.redis.start();
  await answers;
  expect((caller.log[limit]?.leftAtMs ?? 0) - firstLeftMs).toBeLessThan(expirationMs);
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

  test.concurrent('and silent, nothing leaves', async ({ expect, onTestFinished }) => {
    const opened = await open(1);
    onTestFinished(() => end(opened));
    const caller = createCaller();
    opened.redis.freeze();
    const answers = ask(opened.quotas, 2, caller);
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

test.concurrent('a connection that breaks while a slot is being given loses none', async ({
  expect,
  onTestFinished,
}) => {
  const opened = await open(1);
  // Only the command that asks for a slot of the key carries how long it lasts.
  const proxy = await startProxy(new URL(opened.redis.url), `\r\n${expirationMs}\r\n`);
  onTestFinished(async () => {
    await end(opened);
    proxy.close();
  });
  const quota = await createQuota({ ...timing, redisUrl: proxy.url });
  opened.quotas.push(quota);
  const caller = createCaller();
  await ask([quota], 2 * limit, caller);
  expect(proxy.cuts()).toBeGreaterThan(2);
  await new Promise((resolve) => setTimeout(resolve, holdMs + 200));
  const askedAtMs = Date.now();
  await ask([...opened.quotas.slice(0, 1)], limit, caller);
  expect(Date.now() - askedAtMs).toBeLessThan(holdMs);
  expect(worstWindow(caller.log, windowMs)).toBe(limit);
}, 30_000);

async function command({ url }: RedisServer, name: string, ...args: string[]) {
  const client = new Redis(url);
  await client.call(name, ...args);
  client.disconnect();
}

/** Starts what stands between a client and Redis, and cuts every other connection when it has carried a request with `text`. */
async function startProxy(redis: URL, text: string) {
  let seen = 0;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(redis.port), redis.hostname);
    client.on('data', (chunk) => {
      upstream.write(chunk);
      if (!chunk.includes(text)) return;
      seen += 1;
      if (seen % 3 !== 0) return;
      cuts += 1;
      upstream.removeAllListeners('data');
      // Redis answers before it sees the end, and nobody hears it.
      upstream.end();
      client.destroy();
    });
    upstream.on('data', (chunk) => client.write(chunk));
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return { url: `redis://127.0.0.1:${address.port}`, cuts: () => cuts, close: () => server.close() };
}
