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

describe('a connection', () => {
  test.concurrent('that breaks while a slot is being given loses none', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await open(1);
    let asked = 0;
    const proxy = await startProxy(opened.redis, (request) => {
      // Only the command that asks for a slot of the key says how long it lasts.
      if (!request.includes(`\r\n${expirationMs}\r\n`)) return 'pass';
      asked += 1;
      return asked % 3 === 0 ? 'cut' : 'pass';
    });
    onTestFinished(async () => {
      await end(opened);
      proxy.close();
    });
    opened.quotas.push(await createQuota({ ...timing, redisUrl: proxy.url }));
    const caller = createCaller();
    await ask(opened.quotas.slice(1), 2 * limit, caller);
    expect(asked).toBeGreaterThan(2 * limit);
    await new Promise((resolve) => setTimeout(resolve, holdMs + 200));
    const askedAtMs = Date.now();
    await ask(opened.quotas.slice(0, 1), limit, caller);
    expect(Date.now() - askedAtMs).toBeLessThan(holdMs);
    expect(worstWindow(caller.log, windowMs)).toBe(limit);
  });

  test.concurrent('that has fallen silent is made anew', async ({ expect, onTestFinished }) => {
    const opened = await open(1);
    let isDead = false;
    const proxy = await startProxy(opened.redis, () => (isDead ? 'swallow' : 'pass'));
    onTestFinished(async () => {
      await end(opened);
      proxy.close();
    });
    const quota = await createQuota({ ...timing, redisUrl: proxy.url });
    opened.quotas.push(quota);
    const caller = createCaller();
    await ask([quota], 1, caller);
    isDead = true;
    const answers = ask([quota], 2, caller);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(caller.log).toHaveLength(1);
    // The old connections stay dead; what connects from now on is alive.
    isDead = false;
    expect(await answers).toEqual(['0', '1']);
  });

  test.concurrent('that may not hear of free slots is reported', async ({ expect, onTestFinished }) => {
    const opened = await open(1);
    onTestFinished(() => end(opened));
    await command(opened.redis, 'acl', 'setuser', 'deaf', 'on', '>secret', '~*', '+@all', 'resetchannels');
    const redisUrl = opened.redis.url.replace('//', '//deaf:secret@');
    const warned: string[] = [];
    const log = { warn: (fields: object) => void warned.push(JSON.stringify(fields)) };
    const quota = await createQuota({ ...timing, redisUrl, log });
    opened.quotas.push(quota);
    const refused = quota.run({ ...people, notAfterMs: Date.now() + 1_500 }, async () => 'left');
    await expect(refused).rejects.toMatchObject({ code: 'deadline_passed' });
    expect(warned.join()).toContain('NOPERM');
    expect(warned.join()).not.toContain('secret');
  });
});

async function command({ url }: RedisServer, name: string, ...args: string[]) {
  const client = new Redis(url);
  await client.call(name, ...args);
  client.disconnect();
}

type Fate = 'pass' | 'cut' | 'swallow';

/** Starts what stands between clients and Redis, and decides of each request whether Redis or its client hears no more of it. */
async function startProxy({ url }: RedisServer, decide: (request: Buffer) => Fate) {
  const redis = new URL(url);
  const server = createServer((client) => {
    let isSilent = false;
    const upstream = connect(Number(redis.port), redis.hostname);
    client.on('data', (request) => {
      const fate = isSilent ? 'swallow' : decide(request);
      if (fate === 'swallow') isSilent = true;
      if (isSilent) return;
      if (fate === 'cut') {
        // Redis does what it was asked, and nobody hears its answer.
        upstream.removeAllListeners('data');
        client.destroy();
        upstream.end(request);
      } else upstream.write(request);
    });
    upstream.on('data', (answer) => {
      if (!isSilent) client.write(answer);
    });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return { url: `redis://127.0.0.1:${address.port}`, close: () => server.close() };
}
