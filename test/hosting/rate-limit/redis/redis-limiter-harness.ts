import { Redis } from 'ioredis';
import { z } from 'zod';
import {
  createRateLimiter,
  type RateLimiter,
  type ScheduleOptions,
} from '../../../../src/hosting/rate-limit/rate-limiter.ts';
import { type RedisServer, startRedis } from '../../../services/redis.ts';
import type { createCallRecorder } from '../call-recorder.ts';

/** Short, so that tests can wait until windows have passed. */
export const windowMs = 1_000;
export const timing = { windowMs, marginMs: 50, callTimeoutMs: 500, startTimeoutMs: 300 };
export const holdMs = 1_050;
export const expirationMs = 1_900;
/** Additional time for a busy machine. */
export const slackMs = 5_000;
export const limit = 6;
export const peopleCall = { fingerprint: 'a key', lane: 'people', limit } as const;

/** Starts Redis and `count` limiters that use it. Waits until Redis allows calls. */
export async function startLimiters(
  count: number,
  settings?: { aof: boolean },
): Promise<{ redis: RedisServer; limiters: RateLimiter[] }> {
  const redis = await startRedis(settings);
  const limiters = await Promise.all(
    Array.from({ length: count }, () => createRateLimiter({ ...timing, redisUrl: redis.url })),
  );
  await Promise.all(
    limiters.map((limiter) =>
      limiter.schedule({ ...peopleCall, fingerprint: 'warming up' }, async () => undefined),
    ),
  );
  return { redis, limiters };
}

export async function stopLimiters({
  redis,
  limiters,
}: {
  redis: RedisServer;
  limiters: readonly RateLimiter[];
}) {
  await Promise.all(limiters.map((limiter) => limiter.close()));
  await redis.stop();
}

/** Schedules calls of the same key, on each quota in turn. */
export function scheduleCalls(
  limiters: readonly RateLimiter[],
  count: number,
  { call }: ReturnType<typeof createCallRecorder>,
  options: Pick<ScheduleOptions, 'onQueued'> = {},
) {
  return Promise.all(
    Array.from({ length: count }, (_, i) =>
      limiters[i % limiters.length]?.schedule({ ...peopleCall, ...options }, call(`${i}`)),
    ),
  );
}

/** Counts the slots of a key that are not free yet, by the clock of Redis. */
export async function countOccupiedSlots(redis: RedisServer, fingerprint: string): Promise<number> {
  const [seconds, microseconds] = z
    .tuple([z.coerce.number(), z.coerce.number()])
    .parse(await sendRedisCommand(redis, 'time'));
  const nowMs = seconds * 1_000 + Math.floor(microseconds / 1_000);
  return z
    .number()
    .parse(
      await sendRedisCommand(redis, 'zcount', `rackhand:ledger:slots:${fingerprint}`, `(${nowMs}`, '+inf'),
    );
}

/** Sends a command to Redis outside of any quota. Returns the reply. */
export async function sendRedisCommand(
  { url }: RedisServer,
  name: string,
  ...args: string[]
): Promise<unknown> {
  const client = new Redis(url);
  const reply = await client.call(name, ...args);
  client.disconnect();
  return reply;
}
