import { describe, test } from 'vitest';
import { createQuota } from '../../src/hosting/quota/quota.ts';
import { createCaller, worstWindow } from './quota-calls.ts';
import {
  ask,
  command,
  end,
  expirationMs,
  holdMs,
  limit,
  open,
  people,
  timing,
  windowMs,
} from './quota-on-redis.ts';
import { startProxy } from './quota-proxy.ts';

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
    // One that was lost stays taken until it expires, more than half a second later.
    const taken = () => command(opened.redis, 'hget', `b_rackhand:quota:${people.key}_settings`, 'running');
    await expect.poll(taken, { timeout: 300 }).toBe('0');
    await ask(opened.quotas.slice(0, 1), limit, caller);
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
