import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { withTimeout } from '../../../with-timeout.ts';
import {
  type KeyLoad,
  type Ledger,
  type LimiterContext,
  peopleFirstMs,
  peopleGraceMs,
  type Slot,
  type SlotDecision,
  type SlotRequest,
} from './ledger.ts';
import { createRedisClock } from './redis-clock.ts';
import {
  acquireScript,
  answeredScript,
  cancelScript,
  loadScript,
  pauseScript,
  setSinceScript,
} from './redis-scripts.ts';
import { formatSlot, parseHeldSlots } from './redis-slot.ts';
import type { SendRecord } from './send-record.ts';

const keyPrefix = 'rackhand:ledger';

/** Wait before the next request while Redis doesn't answer. */
const retryDelayMs = 1_000;

/** If Redis doesn't reply within this time, the connection is reopened. */
const responseTimeoutMs = 5_000;

/** For how long a process records in advance that it can send calls. */
const sendRecordMs = 600_000;

const reason = z.enum(['unknown', 'pause', 'quota', 'lane', 'people', 'line']);
/** How often a waiting call asks again, because another replica can give a slot back. */
const maxWaitMs = 2_000;

const acquireReply = z.tuple([
  z.number(),
  z.number(),
  z.number(),
  z.union([reason, z.literal('')]),
  z.number(),
]);
const loadReply = z.tuple([
  z.number(),
  z.number(),
  z.enum(['pause', 'unknown']),
  z.array(z.union([z.string(), z.number()])),
]);

const unreachable: SlotDecision = { isGranted: false, waitMs: retryDelayMs, reason: 'unreachable' };

/**
 * Creates the ledger that all replicas share. Needs a single Redis (5 or later, no cluster) with an
 * append-only file and no eviction. While Redis can't be reached, no calls are sent.
 */
export function createRedisLedger(
  url: string,
  sendRecord: SendRecord | undefined,
  { timing, now, clock, logger }: LimiterContext,
): Ledger {
  const { marginMs, startTimeoutMs, holdMs, expirationMs } = timing;
  const processId = randomUUID();
  const redisClock = createRedisClock(marginMs);
  let connectedAtMs = Number.NEGATIVE_INFINITY;
  const client = new Redis(url, {
    // Commands wait for the connection, and are sent again if it breaks. Each can be repeated.
    maxRetriesPerRequest: null,
    socketTimeout: responseTimeoutMs,
    // After a failover, the address can lead to the new primary, but the old one keeps connections open.
    // If a new connection is read-only too, the error is logged, and the call asks again later.
    reconnectOnError: ({ message }) =>
      message.startsWith('READONLY') && clock() - connectedAtMs > retryDelayMs ? 2 : false,
    retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
  });
  /** The ends of pauses that Redis hasn't recorded yet, on the clock of this process. */
  const unrecordedPauses = new Map<string, number>();
  client.on('ready', () => {
    connectedAtMs = clock();
    for (const fingerprint of unrecordedPauses.keys()) void tryRecordPause(fingerprint);
  });
  let isClosed = false;
  let ready: Promise<void> | undefined;
  const problems = new Set<string>();
  /** When it was last noticed that the clock of Redis had jumped. Slots asked for before aren't used. */
  let jumpedAtMs = Number.NEGATIVE_INFINITY;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  /** The time until which the database has recorded that this process can send calls. */
  let recordedUntilMs = Number.NEGATIVE_INFINITY;
  /** The value of `since` for which the send record was consulted. */
  let checkedSince: number | undefined;

  /** Logs each problem once, and again only after Redis has worked in between. */
  function warn(problem: string) {
    if (problems.has(problem) || isClosed) return;
    problems.add(problem);
    logger.warn({ problem }, 'calls wait because of a problem with the quota in Redis');
  }
  client.on('error', (error) => warn(String(error)));

  /**
   * Runs a script for a key. Returns the reply, and when it was requested. If the clock of Redis has
   * jumped, any script can have freed slots too early, so no call is sent for an expiration.
   */
  async function run(script: string, fingerprint: string, slot: string, ...args: (string | number)[]) {
    const keys = [keyPrefix, `${keyPrefix}:slots:${fingerprint}`, `${keyPrefix}:people:${fingerprint}`];
    const askedAtMs = clock();
    const reply = await client.eval(
      script,
      keys.length,
      ...keys,
      fingerprint,
      slot,
      expirationMs,
      holdMs,
      ...args,
    );
    const repliedAtMs = clock();
    const redisMs = z.number().parse([reply].flat()[0]);
    if (redisClock.hasJumped(redisMs, askedAtMs, repliedAtMs)) {
      warn('the clock of Redis jumped ahead');
      jumpedAtMs = repliedAtMs;
      await setSince('any', 0);
    }
    return { reply, askedAtMs };
  }

  function waitUntilReady(): Promise<void> {
    if (client.status === 'ready') return Promise.resolve();
    ready ??= new Promise((resolve) => {
      client.once('ready', () => {
        ready = undefined;
        resolve();
      });
    });
    return ready;
  }

  /** Limits the wait, because a broken connection queues commands until Redis is back. */
  async function withinStartTimeout<T>(load: () => Promise<T>, fallback: T): Promise<T> {
    let isGivenUp = false;
    const result = waitUntilReady().then(() => (isGivenUp ? fallback : load()));
    try {
      return await withTimeout(result, startTimeoutMs, () => {
        isGivenUp = true;
        warn(`Redis didn't answer within ${startTimeoutMs} ms`);
        return fallback;
      });
    } catch (error) {
      // Redis names the script in the message. Without the name, the same problem is logged once.
      warn(String(error).replace(/ script: .*/, ''));
      return fallback;
    }
  }

  /** Runs a script whose reply is not needed. A failure is only logged. */
  function send(script: string, slot: Slot): Promise<unknown> {
    return withinStartTimeout(() => run(script, slot.fingerprint, formatSlot(slot)), undefined);
  }

  async function setSince(expected: number | 'any', beforeMs: number): Promise<void> {
    await run(setSinceScript, '', '', expected, beforeMs);
  }

  async function ask({
    slot,
    limits,
    arePeopleWaiting,
  }: SlotRequest): Promise<SlotDecision & { since: number }> {
    const { reply, askedAtMs } = await run(
      acquireScript,
      slot.fingerprint,
      formatSlot(slot),
      ...[slot.lane, slot.line, limits.all, limits.background, limits.line[slot.lane]],
      ...[processId, arePeopleWaiting ? 1 : 0, peopleFirstMs, peopleGraceMs],
    );
    const [redisMs, granted, waitMs, why, since] = acquireReply.parse(reply);
    if (askedAtMs <= jumpedAtMs) {
      await run(cancelScript, slot.fingerprint, formatSlot(slot));
      return { isGranted: false, waitMs: expirationMs, reason: 'unknown', since: redisMs };
    }
    if (granted === 1 || why === '') return { isGranted: true, atMs: askedAtMs, since };
    return { isGranted: false, waitMs, reason: why, since };
  }

  /**
   * Shortens the wait after Redis lost its state, if the database shows that no call can have been
   * sent.
   */
  async function shortenWaitIfQuiet(since: number): Promise<void> {
    if (!sendRecord || checkedSince === since || clock() - sentAtMs <= expirationMs) return;
    const quietForMs = await sendRecord.quietForMs(processId);
    checkedSince = since;
    // Earlier calls had already ended, so they count for one hold.
    const countForMs = Math.max(0, holdMs - quietForMs);
    if (countForMs < expirationMs) await setSince(since, expirationMs - countForMs);
  }

  async function recordPause(fingerprint: string): Promise<void> {
    const endMs = unrecordedPauses.get(fingerprint);
    if (endMs === undefined) return;
    const lengthMs = Math.ceil(endMs - clock());
    if (lengthMs > 0) await run(pauseScript, fingerprint, '', lengthMs);
    if (unrecordedPauses.get(fingerprint) === endMs) unrecordedPauses.delete(fingerprint);
  }
  const tryRecordPause = (fingerprint: string) =>
    withinStartTimeout(() => recordPause(fingerprint), undefined);

  async function decide(request: SlotRequest): Promise<SlotDecision> {
    await recordPause(request.slot.fingerprint);
    let decision = await ask(request);
    if (!decision.isGranted && decision.reason === 'unknown') {
      warn('Redis is new or lost the record of earlier calls');
      await shortenWaitIfQuiet(decision.since);
      decision = await ask(request);
    } else problems.clear();
    if (!decision.isGranted) return decision;
    if (sendRecord && recordedUntilMs - clock() < expirationMs) {
      await sendRecord.extend(processId, sendRecordMs);
      recordedUntilMs = clock() + sendRecordMs;
      // Redis can have lost its state before the database recorded this process.
      decision = await ask(request);
    }
    if (decision.isGranted) sentAtMs = clock();
    return decision;
  }

  return {
    maxWaitMs,

    acquire(request) {
      let isGivenUp = false;
      return withinStartTimeout(async () => {
        try {
          const decision = await decide(request);
          if (decision.isGranted && isGivenUp) await send(cancelScript, request.slot);
          return decision;
        } catch (error) {
          // The slot can have been granted before the error.
          void send(cancelScript, request.slot);
          throw error;
        }
      }, unreachable).then((decision) => {
        isGivenUp = decision === unreachable;
        return decision;
      });
    },

    markAnswered: async (slot) => void (await send(answeredScript, slot)),
    cancel: async (slot) => void (await send(cancelScript, slot)),

    async pause(fingerprint, untilMs) {
      const endMs = clock() + untilMs - now();
      if (endMs <= Math.max(clock(), unrecordedPauses.get(fingerprint) ?? 0)) return;
      unrecordedPauses.set(fingerprint, endMs);
      await tryRecordPause(fingerprint);
    },

    load: (fingerprint) =>
      withinStartTimeout<KeyLoad>(
        async () => {
          const { reply } = await run(loadScript, fingerprint, '');
          const [, blockedForMs, blockedReason, held] = loadReply.parse(reply);
          return { heldSlots: parseHeldSlots(held), blockedForMs, blockedReason };
        },
        { heldSlots: [], blockedForMs: retryDelayMs, blockedReason: 'unreachable' },
      ),

    async close() {
      isClosed = true;
      client.disconnect();
      if (!sendRecord || recordedUntilMs === Number.NEGATIVE_INFINITY) return;
      try {
        await withTimeout(sendRecord.finish(processId), startTimeoutMs);
      } catch (error) {
        logger.warn(
          { error },
          'could not store when the last call was sent; if Redis loses its data, calls wait longer',
        );
      }
    },
  };
}
