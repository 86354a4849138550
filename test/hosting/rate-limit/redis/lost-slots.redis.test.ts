import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestContext, test } from 'vitest';
import type { SendRecord } from '../../../../src/hosting/rate-limit/ledger/send-record.ts';
import { createRateLimiter } from '../../../../src/hosting/rate-limit/rate-limiter.ts';
import { type RedisServer, startRedis } from '../../../services/redis.ts';
import { createCallRecorder } from '../call-recorder.ts';
import { peopleCall, sendRedisCommand } from './redis-limiter-harness.ts';

/** The window is long, so that a call that waits for a whole hold is noticed. */
const timing = { windowMs: 20_000, marginMs: 50, callTimeoutMs: 2_000, startTimeoutMs: 300 };
/** A waiting call asks again after 2 s. The rest is for a busy machine. */
const soonMs = 8_000;

const nothingSent: SendRecord = {
  extend: async () => {},
  finish: async () => {},
  quietForMs: async () => Number.POSITIVE_INFINITY,
};

async function startLimiter({ onTestFinished }: TestContext, redisUrl: string, more: object = {}) {
  const limiter = await createRateLimiter({
    ...timing,
    redisUrl,
    sendRecord: nothingSent,
    ...more,
  });
  onTestFinished(() => limiter.close());
  return limiter;
}

async function startServer({ onTestFinished }: TestContext): Promise<RedisServer> {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return redis;
}

test.concurrent('a call that lost its slot is sent, although another call of its line got one since', async (context) => {
  const { expect } = context;
  const redis = await startServer(context);
  const limiter = await startLimiter(context, redis.url);
  const { names, call } = createCallRecorder();
  const slot = { ...peopleCall, line: 'alice', limit: 50 };
  await limiter.schedule(slot, call('before'));
  const startMs = performance.now();
  const until = (ms: number) => sleep(startMs + ms - performance.now());
  let isFirst = true;
  const beforeSend = async () => {
    if (isFirst) await sleep(400);
    isFirst = false;
  };
  const first = limiter.schedule({ ...slot, beforeSend }, call('first'));
  await until(350);
  redis.freeze();
  await until(550);
  const second = limiter.schedule(slot, call('second'));
  await until(770);
  redis.unfreeze();
  await Promise.all([first, second]);
  expect(names().toSorted()).toEqual(['before', 'first', 'second']);
});

test.concurrent('a slot that Redis grants too late is used soon after it was given back', async (context) => {
  const { expect } = context;
  const redis = await startServer(context);
  const limiter = await startLimiter(context, redis.url);
  const { call } = createCallRecorder();
  await limiter.schedule({ ...peopleCall, fingerprint: 'other', limit: 1 }, call('before'));
  redis.freeze();
  const sent = limiter.schedule({ ...peopleCall, limit: 1 }, call('only'));
  await sleep(1_500);
  redis.unfreeze();
  const thawedMs = performance.now();
  await sent;
  expect(performance.now() - thawedMs).toBeLessThan(soonMs);
});

test.concurrent('slots are given back if the database cannot record that calls are sent', async (context) => {
  const { expect } = context;
  const redis = await startServer(context);
  let isAway = true;
  const limiter = await startLimiter(context, redis.url, {
    sendRecord: {
      ...nothingSent,
      async extend() {
        if (isAway) throw new Error('the database is away');
      },
    },
  });
  const { call } = createCallRecorder();
  // Each retry, once a second, asks for a new slot.
  const sent = limiter.schedule({ ...peopleCall, limit: 2 }, call('only'));
  await sleep(4_000);
  isAway = false;
  const backMs = performance.now();
  await sent;
  expect(performance.now() - backMs).toBeLessThan(soonMs);
});

test.concurrent('the send record is read again if the database was away at first', async (context) => {
  const { expect } = context;
  const redis = await startServer(context);
  let reads = 0;
  const limiter = await startLimiter(context, redis.url, {
    sendRecord: {
      ...nothingSent,
      async quietForMs() {
        reads += 1;
        if (reads === 1) throw new Error('the database is away');
        return Number.POSITIVE_INFINITY;
      },
    },
  });
  const startMs = performance.now();
  await limiter.schedule(peopleCall, createCallRecorder().call('only'));
  expect(performance.now() - startMs).toBeLessThan(soonMs);
});

test.concurrent('a slot that one replica gives back is used soon by a person who waits on another', async (context) => {
  const { expect } = context;
  const redis = await startServer(context);
  const [one, other] = [await startLimiter(context, redis.url), await startLimiter(context, redis.url)];
  const { call } = createCallRecorder();
  const slot = { ...peopleCall, limit: 1 };
  const begun = Promise.withResolvers<void>();
  const refused = one.schedule(
    {
      ...slot,
      async beforeSend() {
        begun.resolve();
        await sleep(250);
        throw new Error('no longer allowed');
      },
    },
    call('refused'),
  );
  const refusal = expect(refused).rejects.toThrow('no longer allowed');
  await begun.promise;
  const startMs = performance.now();
  await other.schedule(slot, call('waiting'));
  expect(performance.now() - startMs).toBeLessThan(soonMs);
  await refusal;
});

test.concurrent('reports do not yield to a mark from before the clock of Redis went back', async (context) => {
  const { expect } = context;
  const redis = await startServer(context);
  const limiter = await startLimiter(context, redis.url);
  const { call } = createCallRecorder();
  const key = `rackhand:ledger:people:${peopleCall.fingerprint}`;
  const inAnHourMs = Date.now() + 60 * 60_000;
  await sendRedisCommand(redis, 'zadd', key, `${inAnHourMs}`, 'a process that has ended');
  await sendRedisCommand(redis, 'pexpireat', key, `${inAnHourMs + 1_000}`);
  const startMs = performance.now();
  await limiter.schedule({ ...peopleCall, lane: 'background' }, call('report'));
  expect(performance.now() - startMs).toBeLessThan(soonMs);
});

test.concurrent('reports do not yield to a person whose call has expired', async (context) => {
  const { expect } = context;
  const redis = await startServer(context);
  const limiter = await startLimiter(context, redis.url);
  const { call } = createCallRecorder();
  await limiter.schedule({ ...peopleCall, limit: 1 }, call('first'));
  const late = limiter.schedule({ ...peopleCall, limit: 1, notAfterMs: Date.now() + 500 }, call('late'));
  await expect(late).rejects.toMatchObject({ code: 'deadline_passed' });
  const startMs = performance.now();
  await limiter.schedule({ ...peopleCall, lane: 'background' }, call('report'));
  expect(performance.now() - startMs).toBeLessThan(soonMs);
});

test.concurrent('calls are sent after a failover that leaves connections to the old primary open', async (context) => {
  const { expect, onTestFinished } = context;
  const [old, next] = [await startServer(context), await startServer(context)];
  const portOf = ({ url }: RedisServer) => Number(new URL(url).port);
  let primary = old;
  // Like the address of a managed Redis: new connections lead to the primary.
  const address = createServer((client) => {
    const upstream = connect(portOf(primary), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void address.close());
  await once(address, 'listening');
  const limiter = await startLimiter(
    context,
    `redis://127.0.0.1:${(address.address() as AddressInfo).port}`,
    { windowMs: 500 },
  );
  const { names, call } = createCallRecorder();
  await limiter.schedule(peopleCall, call('before'));
  await sendRedisCommand(old, 'replicaof', '127.0.0.1', `${portOf(next)}`);
  primary = next;
  await limiter.schedule(peopleCall, call('after'));
  expect(names()).toEqual(['before', 'after']);
});
