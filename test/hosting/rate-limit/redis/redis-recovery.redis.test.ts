import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'vitest';
import { z } from 'zod';
import { createRateLimiter } from '../../../../src/hosting/rate-limit/rate-limiter.ts';
import { startRedis } from '../../../services/redis.ts';
import { createCallRecorder } from '../call-recorder.ts';
import { peopleCall, sendRedisCommand, timing } from './redis-limiter-harness.ts';

/** Starts Redis and a limiter, which has made a call. */
async function start(onTestFinished: (fn: () => Promise<void>) => void) {
  const redis = await startRedis({ aof: true });
  const warnings: string[] = [];
  const logger = { warn: (fields: object) => void warnings.push(JSON.stringify(fields)) };
  const limiter = await createRateLimiter({ ...timing, redisUrl: redis.url, logger });
  onTestFinished(async () => {
    await limiter.close();
    await redis.stop();
  });
  const recorder = createCallRecorder();
  await limiter.schedule(peopleCall, recorder.call('before'));
  return { redis, limiter, warnings, ...recorder };
}

test.concurrent('a Redis that stays read-only is reported and not flooded with connections', async ({
  expect,
  onTestFinished,
}) => {
  const { redis, limiter, warnings, names, call } = await start(onTestFinished);
  const countConnections = async () => {
    const info = z.string().parse(await sendRedisCommand(redis, 'info', 'stats'));
    return Number(/total_connections_received:(\d+)/.exec(info)?.[1]);
  };
  await sendRedisCommand(redis, 'replicaof', '127.0.0.1', '1');
  const connectionsBefore = await countConnections();
  const refused = limiter.schedule({ ...peopleCall, notAfterMs: Date.now() + 3_000 }, call('late'));
  await expect(refused).rejects.toMatchObject({ code: 'deadline_passed' });
  // One connection a second, and the one that counts.
  expect((await countConnections()) - connectionsBefore).toBeLessThanOrEqual(5);
  expect(warnings.join()).toContain('READONLY');
  // On a busy machine, a late answer can be reported in between.
  expect(warnings.filter((problem, index) => problem === warnings[index - 1])).toEqual([]);
  await sendRedisCommand(redis, 'replicaof', 'no', 'one');
  await limiter.schedule(peopleCall, call('after'));
  expect(names()).toEqual(['before', 'after']);
});

test.concurrent('a pause that begins while Redis is away is obeyed when it is back', async ({
  expect,
  onTestFinished,
}) => {
  const { redis, limiter, warnings, names, call } = await start(onTestFinished);
  await redis.kill();
  await expect.poll(() => warnings.join()).toContain('ECONNREFUSED');
  await limiter.pause(peopleCall.fingerprint, Date.now() + 60_000);
  await redis.start();
  const refused = limiter.schedule({ ...peopleCall, notAfterMs: Date.now() + 4_000 }, call('paused'));
  await expect(refused).rejects.toThrow('asked Rackhand to wait');
  expect(names()).toEqual(['before']);
});

test.concurrent('a call whose preparation lasts into a pause is not sent, and gives its slot back', async ({
  expect,
  onTestFinished,
}) => {
  const { limiter, names, call } = await start(onTestFinished);
  const slot = { ...peopleCall, fingerprint: 'prepared slowly' };
  const beforeSend = async () => {
    await limiter.pause(slot.fingerprint, Date.now() + 60_000);
    await sleep(timing.startTimeoutMs + 100);
  };
  const refused = limiter.schedule({ ...slot, beforeSend, notAfterMs: Date.now() + 3_000 }, call('slow'));
  await expect(refused).rejects.toThrow('asked Rackhand to wait');
  expect(names()).toEqual(['before']);
  expect((await limiter.usage(slot.fingerprint)).used.people).toBe(0);
});

test.concurrent('a call that waits for the quota is told once that Redis cannot be reached', async ({
  expect,
  onTestFinished,
}) => {
  const { redis, limiter, names, call } = await start(onTestFinished);
  const slot = { ...peopleCall, fingerprint: 'used up', limit: 1 };
  await limiter.schedule(slot, call('first'));
  await limiter.pause(slot.fingerprint, Date.now() + 60_000);
  const reasons: string[] = [];
  const waiting = limiter.schedule(
    { ...slot, notAfterMs: Date.now() + 8_000, onQueued: (_, reason) => void reasons.push(reason) },
    call('waiting'),
  );
  await expect.poll(() => reasons).toEqual(['pause']);
  await redis.kill();
  await expect(waiting).rejects.toThrow("couldn't reach Redis");
  expect(reasons).toEqual(['pause', 'unreachable']);
  expect(names()).toEqual(['before', 'first']);
});
