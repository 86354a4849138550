import { setTimeout as sleep } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import { createRateLimiter } from '../../../../src/hosting/rate-limit/rate-limiter.ts';
import { startRedis } from '../../../services/redis.ts';
import { createCallRecorder, maxCallsInWindow } from '../call-recorder.ts';
import { peopleCall } from './redis-limiter-harness.ts';
import { startRedisProxy } from './redis-proxy.ts';

const timing = { windowMs: 8_000, marginMs: 50, callTimeoutMs: 2_000, startTimeoutMs: 300 };

const sendRecord = {
  extend: async () => {},
  finish: async () => {},
  quietForMs: async () => Number.POSITIVE_INFINITY,
};

const readsClock = 'time[1] * 1000 + math.floor(time[2] / 1000)';
const readsClockAhead = 'time[1]*1000+36e5+math.floor(time[2]/1e3)'.padEnd(readsClock.length);

/** Starts a limiter and its Redis, whose clock a test can set an hour ahead. */
async function start({ onTestFinished }: TestContext) {
  const redis = await startRedis();
  const clock = { isAhead: false };
  const proxy = await startRedisProxy(redis, (request) => {
    if (clock.isAhead)
      for (let at = request.indexOf(readsClock); at !== -1; at = request.indexOf(readsClock, at))
        request.write(readsClockAhead, at);
    return 'pass';
  });
  const limiter = await createRateLimiter({ ...timing, redisUrl: proxy.url, sendRecord });
  onTestFinished(async () => {
    await limiter.close();
    proxy.close();
    await redis.stop();
  });
  return { limiter, clock };
}

test.concurrent('no slot is free early after a jump, although both lanes ask at the same time', async (context) => {
  const { limiter, clock } = await start(context);
  const { log, call } = createCallRecorder();
  const slot = { ...peopleCall, limit: 2 };
  await Promise.all([1, 2].map(() => limiter.schedule(slot, call('before'))));
  // Until the answers have arrived.
  await sleep(200);
  clock.isAhead = true;
  for (const lane of ['people', 'background'] as const)
    void limiter.schedule({ ...slot, lane }, call(lane)).catch(() => undefined);
  await sleep(2_000);
  context.expect(maxCallsInWindow(log, timing.windowMs)).toBe(2);
});

test.concurrent('no slot is free early if the clock jumps ahead and back while a call is answered', async (context) => {
  const { limiter, clock } = await start(context);
  const { log, call } = createCallRecorder();
  const slot = { ...peopleCall, limit: 3 };
  const slow = limiter.schedule(slot, call('slow', 600));
  await Promise.all([1, 2].map(() => limiter.schedule(slot, call('before'))));
  await sleep(200);
  clock.isAhead = true;
  await slow;
  await sleep(200);
  clock.isAhead = false;
  for (const name of ['one', 'other']) void limiter.schedule(slot, call(name)).catch(() => undefined);
  await sleep(1_500);
  context.expect(maxCallsInWindow(log, timing.windowMs)).toBe(3);
});
