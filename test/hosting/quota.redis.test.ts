import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createQuota } from '../../src/hosting/quota/quota.ts';
import { type RedisServer, startRedis } from '../services/redis.ts';
import { worstWindow } from './quota-calls.ts';
import { createFleet } from './quota-fleet.ts';

const windowMs = 2_000;
const timing = { windowMs, marginMs: 100, callTimeoutMs: 1_000, startTimeoutMs: 500 };
const holdMs = windowMs + timing.marginMs;
const expirationMs = timing.startTimeoutMs + timing.callTimeoutMs + holdMs + timing.marginMs;
/** What a loaded machine may add to a wait. */
const slackMs = 1_500;

let redis: RedisServer;
let fleet: ReturnType<typeof createFleet>;

beforeAll(async () => {
  redis = await startRedis();
  // A Redis without memory lets nothing leave at first.
  const quota = await createQuota({ ...timing, redisUrl: redis.url });
  await quota.run({ key: 'warming up', lane: 'people' }, async () => undefined);
  await quota.close();
});

afterAll(() => redis.stop());

describe('three replicas that share a key', () => {
  afterEach(() => fleet.end());

  test('keep the quota together when one is killed, and get its slots back', async () => {
    fleet = createFleet({ ...timing, redisUrl: redis.url });
    const slot = { key: 'killed', limit: 10 };
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => fleet.start(name)));
    for (const replica of [a, b, c]) {
      replica?.tell({ do: 'call', lane: 'background', count: 16, latencyMs: 200, slot });
    }
    // Two calls of the first eight at least are those of any replica, and some are under way.
    await fleet.until(() => fleet.calls().length >= 10, 3 * holdMs);
    await a?.kill();
    const left = fleet.calls().length;
    const lost = 16 - fleet.calls().filter(({ name }) => name.startsWith('a')).length;
    const restMs = Math.ceil((48 - lost - left) / 8) * (holdMs + 200) + expirationMs;
    await fleet.until(() => fleet.calls().length >= 48 - lost, restMs + slackMs);
    b?.tell({ do: 'call', lane: 'people', count: 1, latencyMs: 10, slot });
    await fleet.until(() => fleet.calls().some(({ name }) => name.startsWith('b people')), slackMs);
    expect(worstWindow(fleet.calls(), windowMs)).toBeLessThanOrEqual(10);
    expect(fleet.lines().filter(({ event }) => event === 'refused')).toEqual([]);
    await Promise.all([b?.close(), c?.close()]);
  }, 60_000);
});
