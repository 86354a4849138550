import { describe, test } from 'vitest';
import { createQuota } from '../../../src/hosting/rate-limit/quota.ts';
import { createCallRecorder, maxCallsInWindow } from './call-recorder.ts';
import { startRedisProxy } from './redis-proxy.ts';
import {
  expirationMs,
  holdMs,
  limit,
  peopleCall,
  scheduleCalls,
  sendRedisCommand,
  startQuotas,
  stopQuotas,
  timing,
  windowMs,
} from './redis-quota-harness.ts';

describe('a connection', () => {
  test.concurrent('that breaks while it gets a slot loses no slot', async ({ expect, onTestFinished }) => {
    const opened = await startQuotas(1);
    let asked = 0;
    const proxy = await startRedisProxy(opened.redis, (request) => {
      // Only the request for a slot contains its expiration.
      if (!request.includes(`\r\n${expirationMs}\r\n`)) return 'pass';
      asked += 1;
      return asked % 3 === 0 ? 'cut' : 'pass';
    });
    onTestFinished(async () => {
      await stopQuotas(opened);
      proxy.close();
    });
    opened.quotas.push(await createQuota({ ...timing, redisUrl: proxy.url }));
    const caller = createCallRecorder();
    await scheduleCalls(opened.quotas.slice(1), 2 * limit, caller);
    expect(asked).toBeGreaterThan(2 * limit);
    await new Promise((resolve) => setTimeout(resolve, holdMs + 200));
    // A lost slot stays occupied until it expires, more than half a second later.
    const taken = () =>
      sendRedisCommand(
        opened.redis,
        'hget',
        `b_rackhand:quota:${peopleCall.fingerprint}_settings`,
        'running',
      );
    await expect.poll(taken, { timeout: 300 }).toBe('0');
    await scheduleCalls(opened.quotas.slice(0, 1), limit, caller);
    expect(maxCallsInWindow(caller.log, windowMs)).toBe(limit);
  });

  test.concurrent('that no longer responds is replaced', async ({ expect, onTestFinished }) => {
    const opened = await startQuotas(1);
    let isDead = false;
    const proxy = await startRedisProxy(opened.redis, () => (isDead ? 'swallow' : 'pass'));
    onTestFinished(async () => {
      await stopQuotas(opened);
      proxy.close();
    });
    const quota = await createQuota({ ...timing, redisUrl: proxy.url });
    opened.quotas.push(quota);
    const caller = createCallRecorder();
    await scheduleCalls([quota], 1, caller);
    isDead = true;
    const answers = scheduleCalls([quota], 2, caller);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(caller.log).toHaveLength(1);
    // The old connections stay dead, new ones work.
    isDead = false;
    expect(await answers).toEqual(['0', '1']);
  });

  test.concurrent('without permission to subscribe is reported', async ({ expect, onTestFinished }) => {
    const opened = await startQuotas(1);
    onTestFinished(() => stopQuotas(opened));
    await sendRedisCommand(
      opened.redis,
      'acl',
      'setuser',
      'deaf',
      'on',
      '>secret',
      '~*',
      '+@all',
      'resetchannels',
    );
    const redisUrl = opened.redis.url.replace('//', '//deaf:secret@');
    const warned: string[] = [];
    const log = { warn: (fields: object) => void warned.push(JSON.stringify(fields)) };
    const quota = await createQuota({ ...timing, redisUrl, logger: log });
    opened.quotas.push(quota);
    const refused = quota.schedule({ ...peopleCall, notAfterMs: Date.now() + 1_500 }, async () => 'sent');
    await expect(refused).rejects.toMatchObject({ code: 'deadline_passed' });
    expect(warned.join()).toContain('NOPERM');
    expect(warned.join()).not.toContain('secret');
  });
});
