import { describe, test } from 'vitest';
import { createRateLimiter } from '../../../../src/hosting/rate-limit/rate-limiter.ts';
import { createCallRecorder, maxCallsInWindow } from '../call-recorder.ts';
import {
  countOccupiedSlots,
  limit,
  peopleCall,
  scheduleCalls,
  sendRedisCommand,
  startLimiters,
  stopLimiters,
  timing,
  windowMs,
} from './redis-limiter-harness.ts';
import { startRedisProxy } from './redis-proxy.ts';

describe('a connection', () => {
  test.concurrent('that breaks while it gets a slot loses no slot', async ({ expect, onTestFinished }) => {
    const opened = await startLimiters(1);
    let asked = 0;
    const proxy = await startRedisProxy(opened.redis, (request) => {
      // Only the request for a slot names its lane.
      if (!request.includes('\r\npeople\r\n')) return 'pass';
      asked += 1;
      return asked % 3 === 0 ? 'cut' : 'pass';
    });
    onTestFinished(async () => {
      await stopLimiters(opened);
      proxy.close();
    });
    // On a slow machine too, no request times out and is repeated.
    const patient = { ...timing, startTimeoutMs: 3_000 };
    opened.limiters.push(await createRateLimiter({ ...patient, redisUrl: proxy.url }));
    const caller = createCallRecorder();
    await scheduleCalls(opened.limiters.slice(1), 3, caller);
    expect(asked).toBeGreaterThan(3);
    // A lost slot would be the fourth.
    expect(await countOccupiedSlots(opened.redis, peopleCall.fingerprint)).toBeLessThanOrEqual(3);
    await scheduleCalls(opened.limiters, limit, caller);
    expect(maxCallsInWindow(caller.log, windowMs)).toBe(limit);
  });

  test.concurrent('that no longer responds is replaced', async ({ expect, onTestFinished }) => {
    const opened = await startLimiters(1);
    let isDead = false;
    let swallowed = 0;
    const proxy = await startRedisProxy(opened.redis, () => {
      if (!isDead) return 'pass';
      swallowed += 1;
      return 'swallow';
    });
    onTestFinished(async () => {
      await stopLimiters(opened);
      proxy.close();
    });
    const limiter = await createRateLimiter({ ...timing, redisUrl: proxy.url });
    opened.limiters.push(limiter);
    const caller = createCallRecorder();
    await scheduleCalls([limiter], 1, caller);
    isDead = true;
    const answers = scheduleCalls([limiter], 2, caller);
    await expect.poll(() => swallowed).toBeGreaterThan(0);
    expect(caller.log).toHaveLength(1);
    // The old connections stay dead, new ones work.
    isDead = false;
    expect(await answers).toEqual(['0', '1']);
  });

  test.concurrent('without permission to run scripts is reported', async ({ expect, onTestFinished }) => {
    const opened = await startLimiters(1);
    onTestFinished(() => stopLimiters(opened));
    await sendRedisCommand(
      opened.redis,
      'acl',
      'setuser',
      'powerless',
      'on',
      '>secret',
      '~*',
      '+@all',
      '-eval',
    );
    const redisUrl = opened.redis.url.replace('//', '//powerless:secret@');
    const warned: string[] = [];
    const log = { warn: (fields: object) => void warned.push(JSON.stringify(fields)) };
    const limiter = await createRateLimiter({ ...timing, redisUrl, logger: log });
    opened.limiters.push(limiter);
    const refused = limiter.schedule({ ...peopleCall, notAfterMs: Date.now() + 3_000 }, async () => 'sent');
    await expect(refused).rejects.toMatchObject({ code: 'deadline_passed' });
    expect(warned.join()).toContain('NOPERM');
    const repeated = warned.filter((problem, index) => problem === warned[index - 1]);
    expect(repeated, 'problems that were logged again').toEqual([]);
    expect(warned.join()).not.toContain('secret');
  });
});
