import { describe, test } from 'vitest';
import { createQuotaTiming } from '../../../../src/hosting/rate-limit/quota-timing.ts';
import { createRateLimiter, type WaitReason } from '../../../../src/hosting/rate-limit/rate-limiter.ts';
import { type RedisServer, startRedis } from '../../../services/redis.ts';
import { createCallRecorder, maxCallsInWindow } from '../call-recorder.ts';
import {
  expirationMs,
  limit,
  peopleCall,
  scheduleCalls,
  sendRedisCommand,
  slackMs,
  startLimiters,
  stopLimiters,
  timing,
  windowMs,
} from './redis-limiter-harness.ts';
import { startRedisProxy } from './redis-proxy.ts';
import { createReplicaFleet } from './replica-fleet.ts';

describe('Redis after it has lost its state', () => {
  test.concurrent.for([
    {
      how: 'in a crash',
      lose: async (redis: RedisServer) => {
        await redis.kill();
        await redis.start();
      },
    },
    { how: 'under open connections', lose: (redis: RedisServer) => sendRedisCommand(redis, 'flushall') },
    {
      how: 'in part',
      lose: (redis: RedisServer) =>
        sendRedisCommand(redis, 'del', `rackhand:ledger:slots:${peopleCall.fingerprint}`),
    },
  ])(
    '$how stops all calls while earlier ones can still count',
    async ({ lose }, { expect, onTestFinished }) => {
      const opened = await startLimiters(2);
      onTestFinished(() => stopLimiters(opened));
      const caller = createCallRecorder();
      const answers = scheduleCalls(opened.limiters, 3 * limit, caller);
      await expect.poll(() => caller.log.length, { interval: 5 }).toBeGreaterThanOrEqual(limit);
      const lostAtMs = Date.now();
      await lose(opened.redis);
      // Until then, Redis possibly still has its state.
      const goneAtMs = Date.now();
      await answers;
      const [next = Number.NaN] = caller.log
        .map(({ sentAtMs }) => sentAtMs)
        .filter((atMs) => atMs > goneAtMs);
      expect(next - lostAtMs).toBeGreaterThanOrEqual(expirationMs - 1);
      expect(next - goneAtMs).toBeLessThan(expirationMs + slackMs);
      expect(maxCallsInWindow(caller.log, windowMs)).toBe(limit);
    },
  );

  test.concurrent('is set up again by a replica that only waits', async ({ expect, onTestFinished }) => {
    const opened = await startLimiters(1);
    const fleet = createReplicaFleet({ ...timing, redisUrl: opened.redis.url });
    onTestFinished(async () => {
      await fleet.end();
      await stopLimiters(opened);
    });
    const replica = await fleet.start('a');
    const slot = { fingerprint: peopleCall.fingerprint, limit };
    replica.send({ kind: 'call', lane: 'people', count: limit, latencyMs: 10, slot });
    await fleet.until(() => fleet.calls().length === limit, slackMs);
    const caller = createCallRecorder();
    const answers = scheduleCalls(opened.limiters, 2, caller);
    const countWaiting = async () =>
      (await opened.limiters[0]?.usage(peopleCall.fingerprint, limit))?.waiting.people;
    await expect.poll(countWaiting).toBe(2);
    await replica.kill();
    await sendRedisCommand(opened.redis, 'flushall');
    expect(await answers).toEqual(['0', '1']);
    expect(maxCallsInWindow([...fleet.calls(), ...caller.log], windowMs)).toBeLessThanOrEqual(limit);
  });

  test.concurrent('does not know a replica that starts afterwards, which waits nevertheless', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await startLimiters(1);
    onTestFinished(() => stopLimiters(opened));
    const caller = createCallRecorder();
    await scheduleCalls(opened.limiters, limit, caller);
    const lostAtMs = Date.now();
    await sendRedisCommand(opened.redis, 'flushall');
    opened.limiters.push(await createRateLimiter({ ...timing, redisUrl: opened.redis.url }));
    await scheduleCalls(opened.limiters.slice(1), 1, caller);
    expect((caller.log.at(-1)?.sentAtMs ?? 0) - lostAtMs).toBeGreaterThanOrEqual(expirationMs - 1);
    expect(maxCallsInWindow(caller.log, windowMs)).toBeLessThanOrEqual(limit);
  });
});

test.concurrent('nothing lasts longer than it can if the clock of Redis goes back by an hour', async ({
  expect,
  onTestFinished,
}) => {
  const opened = await startLimiters(1);
  onTestFinished(() => stopLimiters(opened));
  const { redis, limiters } = opened;
  const inAnHourMs = Date.now() + 3_600_000;
  const { fingerprint } = peopleCall;
  // This is what Redis has stored before its clock goes back.
  await sendRedisCommand(
    redis,
    'zadd',
    `rackhand:ledger:slots:${fingerprint}`,
    `${inAnHourMs}`,
    'people|before|',
  );
  await sendRedisCommand(
    redis,
    'hset',
    'rackhand:ledger',
    ...[`until:${fingerprint}`, `${inAnHourMs}`, `pause:${fingerprint}`, `${inAnHourMs} ${inAnHourMs + 500}`],
  );
  const askedAtMs = Date.now();
  await limiters[0]?.schedule({ ...peopleCall, limit: 1 }, async () => undefined);
  expect(Date.now() - askedAtMs).toBeGreaterThanOrEqual(expirationMs - 10);
  expect(Date.now() - askedAtMs).toBeLessThan(expirationMs + slackMs);
});

/** How the scripts read the clock of Redis. */
const readsClock = 'time[1] * 1000 + math.floor(time[2] / 1000)';
/** The same an hour ahead, with as many characters. */
const readsClockAhead = 'time[1]*1000+36e5+math.floor(time[2]/1e3)'.padEnd(readsClock.length);

test.concurrent('no slot becomes free early if the clock of Redis jumps ahead by an hour', async ({
  expect,
  onTestFinished,
}) => {
  const redis = await startRedis();
  let isAhead = false;
  const proxy = await startRedisProxy(redis, (request) => {
    if (isAhead)
      for (let at = request.indexOf(readsClock); at !== -1; at = request.indexOf(readsClock, at))
        request.write(readsClockAhead, at);
    return 'pass';
  });
  const warnings: unknown[] = [];
  const logger = { warn: (fields: unknown) => void warnings.push(fields) } as never;
  const open = () => createRateLimiter({ ...timing, redisUrl: proxy.url, logger });
  const limiters = await Promise.all([open(), open()]);
  onTestFinished(async () => {
    await stopLimiters({ redis, limiters });
    proxy.close();
  });
  const caller = createCallRecorder();
  await scheduleCalls(limiters, limit, caller);
  isAhead = true;
  const movedAtMs = Date.now();
  const waiting = scheduleCalls(limiters, 2, caller);
  await expect.poll(() => warnings).toContainEqual({ problem: 'the clock of Redis jumped ahead' });
  // A new process doesn't know the time before the jump.
  limiters.push(await open());
  await Promise.all([waiting, scheduleCalls(limiters.slice(2), 2, caller)]);
  const next = Math.min(...caller.log.slice(limit).map(({ sentAtMs }) => sentAtMs));
  expect(next - movedAtMs).toBeGreaterThanOrEqual(expirationMs - 1);
  expect(maxCallsInWindow(caller.log, windowMs)).toBe(limit);
  expect(warnings).toContainEqual({ problem: 'Redis is new or lost the record of earlier calls' });
});

test.concurrent('a slot is confirmed if the preparation of its call takes long', async ({
  expect,
  onTestFinished,
}) => {
  const redis = await startRedis();
  const slow = { ...timing, callTimeoutMs: 4_000 };
  const limiter = await createRateLimiter({ ...slow, redisUrl: redis.url });
  onTestFinished(() => stopLimiters({ redis, limiters: [limiter] }));
  const { log, call } = createCallRecorder();
  let lostAtMs: number | undefined;
  const beforeSend = async () => {
    if (lostAtMs !== undefined) return;
    lostAtMs = Date.now();
    await sendRedisCommand(redis, 'flushall');
    // Longer than the time between requesting a slot and sending.
    const startMs = performance.now();
    await expect.poll(() => performance.now() - startMs).toBeGreaterThan(timing.startTimeoutMs);
  };
  await limiter.schedule({ ...peopleCall, beforeSend }, call('slow'));
  expect(log).toHaveLength(1);
  const { expirationMs: longExpirationMs } = createQuotaTiming(slow);
  expect((log[0]?.sentAtMs ?? 0) - (lostAtMs ?? 0)).toBeGreaterThanOrEqual(longExpirationMs - 1);
});

test.concurrent('a call that was not sent gives its slot back', async ({ expect, onTestFinished }) => {
  const opened = await startLimiters(1);
  onTestFinished(() => stopLimiters(opened));
  const [limiter] = opened.limiters;
  const beforeSend = () => Promise.reject(new Error('no longer allowed'));
  const refused = limiter?.schedule({ ...peopleCall, beforeSend }, async () => 'never');
  await expect(refused).rejects.toThrow('no longer allowed');
  const countUsed = async () => (await limiter?.usage(peopleCall.fingerprint, limit))?.used.people;
  await expect.poll(countUsed).toBe(0);
});

test.concurrent('Redis that was killed with an append-only file continues where it was', async ({
  expect,
  onTestFinished,
}) => {
  const opened = await startLimiters(2, { aof: true });
  onTestFinished(() => stopLimiters(opened));
  const caller = createCallRecorder();
  const answers = scheduleCalls(opened.limiters, 3 * limit, caller);
  await expect.poll(() => caller.log.length, { interval: 5 }).toBeGreaterThanOrEqual(limit);
  await opened.redis.kill();
  await opened.redis.start();
  const backAtMs = Date.now();
  await answers;
  expect((caller.log[limit]?.sentAtMs ?? Number.NaN) - backAtMs).toBeLessThan(expirationMs);
  expect(maxCallsInWindow(caller.log, windowMs)).toBe(limit);
});

describe('while Redis is unavailable', () => {
  test.concurrent('callers wait until their deadline, and calls are sent again when it is back', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await startLimiters(1, { aof: true });
    onTestFinished(() => stopLimiters(opened));
    const { redis, limiters } = opened;
    await redis.kill();
    limiters.push(await createRateLimiter({ ...timing, redisUrl: redis.url }));
    const caller = createCallRecorder();
    const answers = scheduleCalls(limiters, 4, caller);
    const refused = limiters.map((limiter) =>
      limiter
        .schedule({ ...peopleCall, notAfterMs: Date.now() + 700 }, caller.call('late'))
        .catch((error: unknown) => error),
    );
    const usage = await limiters[0]?.usage(peopleCall.fingerprint, limit);
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

  test.concurrent('and silent, no call is sent, and usage is still reported', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await startLimiters(1);
    onTestFinished(() => stopLimiters(opened));
    const caller = createCallRecorder();
    opened.redis.freeze();
    const reasons: WaitReason[] = [];
    const onQueued = (_waitMs: number, reason: WaitReason) => void reasons.push(reason);
    const answers = scheduleCalls(opened.limiters, 2, caller, { onQueued });
    const usage = await opened.limiters[0]?.usage(peopleCall.fingerprint, limit);
    expect(usage).toMatchObject({ waiting: { people: 2 }, waitMs: { people: expect.any(Number) } });
    // Each request for a slot has timed out.
    await expect.poll(() => reasons).toEqual(['unreachable', 'unreachable']);
    expect(caller.log).toEqual([]);
    opened.redis.unfreeze();
    expect(await answers).toEqual(['0', '1']);
  });

  test.concurrent('a replica can be closed, and its process ends by itself', async ({
    expect,
    onTestFinished,
  }) => {
    const opened = await startLimiters(1);
    const fleet = createReplicaFleet({ ...timing, redisUrl: opened.redis.url });
    onTestFinished(async () => {
      await fleet.end();
      await stopLimiters(opened);
    });
    const replica = await fleet.start('a');
    const slot = { fingerprint: peopleCall.fingerprint, limit };
    replica.send({ kind: 'call', lane: 'people', count: 2 * limit, latencyMs: 10, slot });
    await fleet.until(() => fleet.calls().length === limit, slackMs);
    await opened.redis.kill();
    // The replica has lost its connection.
    await fleet.until(() => fleet.lines().some(({ detail }) => detail?.includes('ECONNREFUSED')), slackMs);
    await replica.close();
    expect(fleet.lines().filter(({ event }) => event === 'rejected')).toHaveLength(limit);
  });
});
