import { describe, test } from 'vitest';
import { createQuotaTiming } from '../../../../src/hosting/rate-limit/quota-timing.ts';
import { createRateLimiter, type SendRecord } from '../../../../src/hosting/rate-limit/rate-limiter.ts';
import { startRedis } from '../../../services/redis.ts';
import { createCallRecorder, maxCallsInWindow } from '../call-recorder.ts';
import {
  expirationMs,
  holdMs,
  limit,
  peopleCall,
  sendRedisCommand,
  timing,
  windowMs,
} from './redis-limiter-harness.ts';

/** Creates a send record in memory. The processes of a test share it. */
function createMemorySendRecord(): SendRecord {
  const activeUntilMs = new Map<string, number>();
  return {
    extend: async (id, durationMs) => void activeUntilMs.set(id, Date.now() + durationMs),
    finish: async (id) => void activeUntilMs.set(id, Date.now()),
    async quietForMs(id) {
      const others = [...activeUntilMs].filter(([other]) => other !== id).map(([, untilMs]) => untilMs);
      return Date.now() - Math.max(Number.NEGATIVE_INFINITY, ...others);
    },
  };
}

async function startRedisWithRecord(onTestFinished: (stop: () => Promise<void>) => void, options = timing) {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const sendRecord = createMemorySendRecord();
  const start = async () => {
    const limiter = await createRateLimiter({
      ...options,
      redisUrl: redis.url,
      sendRecord,
    });
    onTestFinished(() => limiter.close());
    return limiter;
  };
  return { redis, start };
}

describe('a Redis without its state', () => {
  test.concurrent('is used at once at the first start ever, by all replicas', async ({
    expect,
    onTestFinished,
  }) => {
    // On a slow machine too, no request times out.
    const warned: string[] = [];
    const logger = { warn: (_: object, message: string) => void warned.push(message) };
    const patient = { ...timing, startTimeoutMs: 3_000, logger };
    const { start } = await startRedisWithRecord(onTestFinished, patient);
    const limiters = await Promise.all([start(), start()]);
    const { log, call } = createCallRecorder();
    const reasons: string[] = [];
    const onQueued = (_: unknown, reason: string) => void reasons.push(reason);
    await Promise.all(
      limiters.map((limiter) => limiter.schedule({ ...peopleCall, onQueued }, call('first'))),
    );
    expect(reasons).not.toContain('unknown');
    warned.length = 0;
    await Promise.all(
      limiters.flatMap((each) =>
        Array.from({ length: limit }, () => each.schedule(peopleCall, call('later'))),
      ),
    );
    expect(maxCallsInWindow(log, windowMs)).toBe(limit);
    expect(warned, 'warnings about a quota that is only used up').toEqual([]);
  });

  test.concurrent('is used after a clean stop as soon as the calls before no longer count', async ({
    expect,
    onTestFinished,
  }) => {
    // Calls can last so long that the wait after a clean stop is clearly shorter than after a crash.
    const slow = { ...timing, callTimeoutMs: 10_000 };
    const { redis, start } = await startRedisWithRecord(onTestFinished, slow);
    const { log, call } = createCallRecorder();
    const first = await start();
    await Promise.all(Array.from({ length: limit }, () => first.schedule(peopleCall, call('before'))));
    await first.close();
    const stoppedAtMs = Date.now();
    await sendRedisCommand(redis, 'flushall');
    const second = await start();
    const waits: string[] = [];
    await second.schedule({ ...peopleCall, onQueued: (_, reason) => waits.push(reason) }, call('after'));
    const waitedMs = (log.at(-1)?.sentAtMs ?? 0) - stoppedAtMs;
    expect(waitedMs).toBeGreaterThanOrEqual(holdMs - 50);
    expect(waitedMs).toBeLessThan(createQuotaTiming(slow).expirationMs);
    expect(waits).toContain('unknown');
    expect(maxCallsInWindow(log, windowMs)).toBe(limit);
  });

  test.concurrent('stops all calls if another process can have sent some', async ({
    expect,
    onTestFinished,
  }) => {
    const { redis, start } = await startRedisWithRecord(onTestFinished);
    const { log, call } = createCallRecorder();
    const living = await start();
    await Promise.all(Array.from({ length: limit }, () => living.schedule(peopleCall, call('before'))));
    await sendRedisCommand(redis, 'flushall');
    const lostAtMs = Date.now();
    const fresh = await start();
    await fresh.schedule(peopleCall, call('after'));
    expect((log.at(-1)?.sentAtMs ?? 0) - lostAtMs).toBeGreaterThanOrEqual(expirationMs - 1);
    expect(maxCallsInWindow(log, windowMs)).toBe(limit);
  });

  test.concurrent('stops all calls if this process has sent some', async ({ expect, onTestFinished }) => {
    const { redis, start } = await startRedisWithRecord(onTestFinished);
    const { log, call } = createCallRecorder();
    const living = await start();
    await Promise.all(Array.from({ length: limit }, () => living.schedule(peopleCall, call('before'))));
    await sendRedisCommand(redis, 'flushall');
    const lostAtMs = Date.now();
    await living.schedule(peopleCall, call('after'));
    expect((log.at(-1)?.sentAtMs ?? 0) - lostAtMs).toBeGreaterThanOrEqual(expirationMs - 1);
    expect(maxCallsInWindow(log, windowMs)).toBe(limit);
  });

  test.concurrent('does not prevent a stop if the database is away', async ({ expect, onTestFinished }) => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const sendRecord: SendRecord = {
      ...createMemorySendRecord(),
      finish: () => Promise.reject(new Error('the database is away')),
    };
    const warned: unknown[] = [];
    const logger = { warn: (fields: object) => void warned.push(fields) };
    const limiter = await createRateLimiter({ ...timing, redisUrl: redis.url, sendRecord, logger });
    await limiter.schedule(peopleCall, async () => undefined);
    await limiter.close();
    expect(warned.at(-1)).toMatchObject({ error: { message: 'the database is away' } });
  });
});
