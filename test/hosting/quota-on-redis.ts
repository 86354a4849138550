import { Redis } from 'ioredis';
import { createQuota, type Quota } from '../../src/hosting/quota/quota.ts';
import { type RedisServer, startRedis } from '../services/redis.ts';
import type { createCaller } from './quota-calls.ts';

/** A time scale on which a test can wait for windows to pass, and what follows from it. */
export const windowMs = 1_000;
export const timing = { windowMs, marginMs: 50, callTimeoutMs: 500, startTimeoutMs: 300 };
export const holdMs = 1_050;
export const expirationMs = 1_900;
/** What a loaded machine may add to a wait. */
export const slackMs = 5_000;
export const limit = 6;
export const people = { key: 'a key', lane: 'people', limit } as const;

/** Starts a Redis and opens as many quotas on it, when it has remembered for long enough. */
export async function open(
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

export async function end({ redis, quotas }: { redis: RedisServer; quotas: readonly Quota[] }) {
  await Promise.all(quotas.map((quota) => quota.close()));
  await redis.stop();
}

/** Asks for calls of the key, of each quota in turn. */
export function ask(quotas: readonly Quota[], count: number, { call }: ReturnType<typeof createCaller>) {
  return Promise.all(
    Array.from({ length: count }, (_, i) => quotas[i % quotas.length]?.run(people, call(`${i}`))),
  );
}

/** Sends a command to Redis from outside of any quota, and gives its answer. */
export async function command({ url }: RedisServer, name: string, ...args: string[]): Promise<unknown> {
  const client = new Redis(url);
  const answer = await client.call(name, ...args);
  client.disconnect();
  return answer;
}
