import Bottleneck from 'bottleneck';
import { z } from 'zod';
import { withTimeout } from '../../../with-timeout.ts';
import type { Lane } from '../lanes.ts';
import { sleep } from '../sleep.ts';
import { QuotaConnection } from './redis-connection.ts';
import { createSlotLimiter } from './slot-limiter.ts';
import type { HeldSlot, QuotaContext, SlotCall, SlotStore } from './slot-store.ts';

const keyPrefix = 'rackhand:quota:';
/** Key for the time since which Redis has recorded calls, by the clock of Redis. */
const recordingSinceKey = `${keyPrefix}born`;
const pauseKey = (fingerprint: string) => `${keyPrefix}pause:${fingerprint}`;
const callsKey = (fingerprint: string) => `${keyPrefix}calls:${fingerprint}`;

/** Wait before the next check if it's unknown when a block ends. */
const retryDelayMs = 1_000;

/** If Redis doesn't reply within this time, the connection is reopened. */
const responseTimeoutMs = 5_000;

/**
 * Returns the Redis time, the time since which Redis has recorded calls (`born`), and the end of
 * the key's pause. Sets `born` to now if it is missing or in the future. If ARGV[2] is 'lost', also
 * does so if `born` is more than ARGV[1] ms ago.
 */
const checkScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local born = tonumber(redis.call('GET', KEYS[1]))
if not born or born > now or (ARGV[2] == 'lost' and now - born > tonumber(ARGV[1])) then
  born = now
  redis.call('SET', KEYS[1], string.format('%.0f', born))
end
return {now, born, tonumber(redis.call('GET', KEYS[2]) or 0)}
`;

const checkReply = z.tuple([z.number(), z.number(), z.number()]);

const pauseScript = `
if tonumber(redis.call('GET', KEYS[1]) or 0) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
`;

/**
 * Creates the slot store that all replicas share. Needs a single Redis (5 or later, no cluster)
 * with an append-only file and no eviction. While Redis can't be reached, no calls are sent.
 */
export function createRedisSlotStore(url: string, { timing, now, logger, closed }: QuotaContext): SlotStore {
  const { windowMs, marginMs, startTimeoutMs, holdMs, expirationMs } = timing;
  const connection = new QuotaConnection(url, {
    silenceMs: responseTimeoutMs,
    onLostState: () => void handleLostState(),
  });
  const { client } = connection;
  let lastProblem = '';

  /** Logs a problem once, and again only after Redis has worked in between. */
  function warn(problem: string) {
    if (problem === lastProblem || closed.aborted) return;
    lastProblem = problem;
    logger.warn({ problem }, 'calls wait because of a problem with the quota in Redis');
  }
  connection.on('error', (error) => warn(String(error)));

  function check(fingerprint: string, reason: '' | 'lost' = '') {
    return client
      .eval(checkScript, 2, recordingSinceKey, pauseKey(fingerprint), expirationMs, reason)
      .then((reply) => checkReply.parse(reply));
  }

  /**
   * Handles the loss of a limiter's keys: calls wait for one expiration, after which no earlier
   * call counts anymore.
   */
  async function handleLostState() {
    try {
      await check('', 'lost');
    } catch (error) {
      warn(String(error));
    }
  }

  async function loadBlockedForMs(fingerprint: string): Promise<number> {
    try {
      const requestedAtMs = now();
      const [redisMs, bornMs, pausedUntilMs] = await check(fingerprint);
      const repliedAtMs = now();
      const skewMs =
        Math.abs(redisMs - (requestedAtMs + repliedAtMs) / 2) - (repliedAtMs - requestedAtMs) / 2;
      const unrecordedMs = Math.max(0, bornMs + expirationMs - redisMs);
      if (skewMs > marginMs / 2) {
        warn(`this machine's clock differs from the clock of Redis by ${Math.round(skewMs)} ms`);
        return retryDelayMs;
      }
      if (unrecordedMs > 0) warn('Redis lost the record of earlier calls');
      else lastProblem = '';
      return Math.max(unrecordedMs, pausedUntilMs - redisMs);
    } catch (error) {
      warn(String(error));
      return retryDelayMs;
    }
  }

  /** Limits the wait, because a broken connection queues commands until Redis is back. */
  function withinStartTimeout<T>(load: () => Promise<T>, fallback: T): Promise<T> {
    return client.status === 'ready'
      ? withTimeout(load(), startTimeoutMs, () => fallback)
      : Promise.resolve(fallback);
  }

  function blockedForMs(fingerprint: string): Promise<number> {
    return withinStartTimeout(() => loadBlockedForMs(fingerprint), retryDelayMs);
  }

  /** Repeats an attempt until Redis accepts it or the quota is closed. */
  async function retryUntilClosed<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (closed.aborted) throw error;
        warn(String(error));
        await sleep(retryDelayMs, closed);
      }
    }
  }

  /** Records a call so that `usage` can count it. The limiters themselves don't need this record. */
  function recordCall({ fingerprint, callId, lane }: SlotCall) {
    client
      .multi()
      .zremrangebyscore(callsKey(fingerprint), '-inf', now())
      .zadd(callsKey(fingerprint), now() + holdMs, `${lane}:${callId}`)
      .pexpire(callsKey(fingerprint), 2 * expirationMs)
      .exec()
      .catch((error: unknown) => warn(String(error)));
  }

  return {
    restoredSlots: [],
    expirationMs,

    createLimiter: (name, slots) =>
      retryUntilClosed(async () => {
        const bottleneck = new Bottleneck({
          id: keyPrefix + name,
          maxConcurrent: slots,
          connection,
          // Bottleneck's own defaults if the window has its usual length.
          heartbeatInterval: windowMs / 12,
          clientTimeout: windowMs / 6,
        });
        bottleneck.on('error', (error) => warn(String(error)));
        try {
          await bottleneck.ready();
          // Settings that Redis already has override those of the constructor.
          await bottleneck.updateSettings({ maxConcurrent: slots });
        } catch (error) {
          await bottleneck.disconnect();
          throw error;
        }
        const limiter = createSlotLimiter(bottleneck, () => connection.lastRequestedAtMs(bottleneck.id));
        return { ...limiter, resize: (newSlots) => retryUntilClosed(() => limiter.resize(newSlots)) };
      }),

    async acquire(call) {
      const waitMs = await blockedForMs(call.fingerprint);
      if (waitMs <= 0) recordCall(call);
      return waitMs;
    },

    async markAnswered(call) {
      recordCall(call);
    },

    async pause(fingerprint, untilMs) {
      const lengthMs = Math.ceil(untilMs - now());
      if (lengthMs <= 0) return;
      const paused = client.eval(pauseScript, 1, pauseKey(fingerprint), untilMs, lengthMs);
      await withTimeout(
        paused.catch((error: unknown) => warn(String(error))),
        startTimeoutMs,
        () => undefined,
      );
    },

    blockedForMs,

    listHeldSlots: (fingerprint) =>
      withinStartTimeout(
        () => client.zrangebyscore(callsKey(fingerprint), now(), '+inf', 'WITHSCORES').then(parseHeldSlots),
        [],
      ),

    async close() {
      await connection.disconnect(false);
    },
  };
}

/** Parses a Redis sorted set of `lane:callId` by release time: member, score, member, score, … */
function parseHeldSlots(members: readonly string[]): HeldSlot[] {
  const slots: HeldSlot[] = [];
  for (let i = 0; i < members.length; i += 2) {
    const lane: Lane = members[i]?.startsWith('background:') ? 'background' : 'people';
    slots.push({ lane, releaseAtMs: Number(members[i + 1]) });
  }
  return slots;
}
