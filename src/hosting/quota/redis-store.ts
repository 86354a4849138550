import Bottleneck from 'bottleneck';
import { z } from 'zod';
import type { Lane } from './lanes.ts';
import { QuotaConnection } from './redis-connection.ts';
import { sleep, within } from './sleep.ts';
import { createSlotLimiter } from './slot-limiter.ts';
import type { HeldSlot, QuotaContext, SlotCall, SlotStore } from './slot-store.ts';

const prefix = 'rackhand:quota:';
/** Redis time at which Redis began to remember calls. */
const bornKey = `${prefix}born`;
const pauseKey = (key: string) => `${prefix}pause:${key}`;
const callsKey = (key: string) => `${prefix}calls:${key}`;

/** How long to wait before asking again whether a call may leave, when it is not known until when it must not. */
const retryMs = 1_000;

/** How long Redis may be silent when asked something, before the connection is made anew. */
const silenceMs = 5_000;

/**
 * Answers Redis's time, since when it remembers calls, and until when the key is paused. A birth that is missing or lies in
 * the future is set to now; so is, with ARGV[2], one that is older than ARGV[1] ms.
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

const checkAnswer = z.tuple([z.number(), z.number(), z.number()]);

const pauseScript = `
if tonumber(redis.call('GET', KEYS[1]) or 0) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
`;

/**
 * Creates the store that all replicas share: one Redis, 5 or later and no cluster, which keeps an append-only file and evicts no keys.
 * Nothing leaves while it is away.
 */
export function createRedisStore(url: string, { timing, now, log, closed }: QuotaContext): SlotStore {
  const { windowMs, marginMs, startTimeoutMs, holdMs, expirationMs } = timing;
  const connection = new QuotaConnection(url, { silenceMs, onLostState: () => void noteLostState() });
  const { client } = connection;
  let lastProblem = '';

  /** Warns once, until Redis is well again. */
  function warn(problem: string) {
    if (problem === lastProblem || closed.aborted) return;
    lastProblem = problem;
    log.warn({ problem }, 'the quota in Redis is not in order: calls wait');
  }
  connection.on('error', (error) => warn(String(error)));

  function check(key: string, reason: '' | 'lost' = '') {
    return client
      .eval(checkScript, 2, bornKey, pauseKey(key), expirationMs, reason)
      .then((answer) => checkAnswer.parse(answer));
  }

  /** Single keys of a limiter have gone: whatever was lost with them, no call of before counts after one expiration. */
  async function noteLostState() {
    try {
      await check('', 'lost');
    } catch (error) {
      warn(String(error));
    }
  }

  async function findObstacleMs(key: string): Promise<number> {
    try {
      const askedAtMs = now();
      const [redisMs, bornMs, pausedUntilMs] = await check(key);
      const answeredAtMs = now();
      const skewMs = Math.abs(redisMs - (askedAtMs + answeredAtMs) / 2) - (answeredAtMs - askedAtMs) / 2;
      const deafMs = Math.max(0, bornMs + expirationMs - redisMs);
      if (skewMs > marginMs / 2) {
        warn(`this machine's clock differs from that of Redis by ${Math.round(skewMs)} ms`);
        return retryMs;
      }
      if (deafMs > 0) warn('Redis has no memory of earlier calls');
      else lastProblem = '';
      return Math.max(deafMs, pausedUntilMs - redisMs);
    } catch (error) {
      warn(String(error));
      return retryMs;
    }
  }

  /** A connection that breaks keeps what was asked until Redis is back; nobody waits so long for that. */
  function promptly<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
    return client.status === 'ready' ? within(startTimeoutMs, ask(), otherwise) : Promise.resolve(otherwise);
  }

  function obstacleMs(key: string): Promise<number> {
    return promptly(() => findObstacleMs(key), retryMs);
  }

  /** Does what Redis may refuse, until it does not. */
  async function insist<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (closed.aborted) throw error;
        warn(String(error));
        await sleep(retryMs, closed);
      }
    }
  }

  /** Notes for those who ask how full the quota is; what keeps it are the limiters. */
  function note({ key, callId, lane }: SlotCall) {
    client
      .multi()
      .zremrangebyscore(callsKey(key), '-inf', now())
      .zadd(callsKey(key), now() + holdMs, `${lane}:${callId}`)
      .pexpire(callsKey(key), 2 * expirationMs)
      .exec()
      .catch((error: unknown) => warn(String(error)));
  }

  return {
    remembered: [],
    expirationMs,

    openLimiter: (name, slots) =>
      insist(async () => {
        const bottleneck = new Bottleneck({
          id: prefix + name,
          maxConcurrent: slots,
          connection,
          // Bottleneck's own defaults at the window's usual length.
          heartbeatInterval: windowMs / 12,
          clientTimeout: windowMs / 6,
        });
        bottleneck.on('error', (error) => warn(String(error)));
        try {
          await bottleneck.ready();
          // Settings that are in Redis already prevail over the constructor's.
          await bottleneck.updateSettings({ maxConcurrent: slots });
        } catch (error) {
          await bottleneck.disconnect();
          throw error;
        }
        const limiter = createSlotLimiter(bottleneck, () => connection.lastAskedAtMs(bottleneck.id));
        return { ...limiter, resize: (newSlots) => insist(() => limiter.resize(newSlots)) };
      }),

    async depart(call) {
      const waitMs = await obstacleMs(call.key);
      if (waitMs <= 0) note(call);
      return waitMs;
    },

    async answered(call) {
      note(call);
    },

    async pause(key, untilMs) {
      const lengthMs = Math.ceil(untilMs - now());
      if (lengthMs <= 0) return;
      const paused = client.eval(pauseScript, 1, pauseKey(key), untilMs, lengthMs);
      await within(
        startTimeoutMs,
        paused.catch((error: unknown) => warn(String(error))),
        undefined,
      );
    },

    obstacleMs,

    held: (key) =>
      promptly(() => client.zrangebyscore(callsKey(key), now(), '+inf', 'WITHSCORES').then(readSlots), []),

    async close() {
      await connection.disconnect(false);
    },
  };
}

/** Reads a sorted set of `lane:callId` by time of release, as Redis lists it: member, score, member, score. */
function readSlots(members: readonly string[]): HeldSlot[] {
  const slots: HeldSlot[] = [];
  for (let i = 0; i < members.length; i += 2) {
    const lane: Lane = members[i]?.startsWith('background:') ? 'background' : 'people';
    slots.push({ lane, releaseAtMs: Number(members[i + 1]) });
  }
  return slots;
}
