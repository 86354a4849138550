import { setMaxListeners } from 'node:events';
import { RackhandError } from '../../error.ts';
import type { CallJournal } from './call-journal.ts';
import { createJournalStore } from './journal-store.ts';
import { createKeys } from './keys.ts';
import { backgroundSlots, forEachLane, type Lane } from './lanes.ts';
import { createPursuit, waitingBefore } from './pursuit.ts';
import type { QuotaContext, QuotaLog } from './slot-store.ts';
import { createTicket } from './ticket.ts';
import { createTiming } from './timing.ts';
import { estimateWaitMs, readFullness } from './wait.ts';

export type { CallJournal, JournaledCall, JournaledPause } from './call-journal.ts';
export { fingerprintKey } from './fingerprint.ts';
export type { Lane } from './lanes.ts';

/** The API document's default quota of a key, in calls per window. */
export const defaultLimit = 50;

export interface QuotaOptions {
  /** Longest that a call may take, a little more than its transport allows it; then it is aborted. */
  readonly callTimeoutMs: number;
  /** Length of the window that the hosting service counts in. Default 60 s, from the API document's part "Limits". */
  readonly windowMs?: number;
  /** Added to every hold. Default a 240th of the window: 250 ms of 60 s. */
  readonly marginMs?: number;
  /** Longest from asking for a slot to the departure in it. Default 2 s. */
  readonly startTimeoutMs?: number;
  /** Part of a quota that the background lane may fill. Default 0.8: 40 of 50. */
  readonly backgroundShare?: number;
  /** Keeps the calls of the last window and the pauses across a restart. Not used with Redis. */
  readonly journal?: CallJournal;
  /** Where replicas share their slots. Without it this process must be the only one that uses its keys. */
  readonly redisUrl?: string;
  readonly now?: () => number;
  readonly log?: QuotaLog;
}

/** What the quota has to know of a call. */
export interface QuotaSlot {
  /** Fingerprint of the API key; see `fingerprintKey`. */
  readonly key: string;
  /** The key's quota, in calls per window. Default 50. A change counts for all who wait for this key. */
  readonly limit?: number;
  readonly lane: Lane;
  /** Epoch ms from which the call must not leave any more. */
  readonly notAfterMs?: number;
  /** Withdraws the call while it waits, and aborts it when it is under way. */
  readonly signal?: AbortSignal;
  /** Told an estimate in ms when the call has to wait, and again when a pause makes it wait anew. */
  readonly onQueued?: (waitMs: number) => void;
}

export interface QuotaUsage {
  readonly limit: number;
  /** Slots of the quota that the background lane may fill. */
  readonly backgroundLimit: number;
  /** How long a call keeps its slot, in ms from its answer: the window, and a margin. */
  readonly holdMs: number;
  /** Slots that calls of the last window hold, those of all replicas. */
  readonly used: Readonly<Record<Lane, number>>;
  /** Calls that wait for a slot in this process. */
  readonly waiting: Readonly<Record<Lane, number>>;
  /** How long a call that came now would wait, in ms. */
  readonly waitMs: Readonly<Record<Lane, number>>;
}

/** Lets the calls of a key leave so that no window, wherever it begins, sees more of them than the key's quota. */
export interface Quota {
  /**
   * Makes a call as soon as there is a slot for it, and answers what it answers. Every attempt takes a slot of its own, so a retry is
   * another `run`. Throws `deadline_passed` when the call has not left and never will, `stopped` when that is because of `close`, `service_timeout` when it took
   * too long, and what the call itself throws.
   */
  run<T>(slot: QuotaSlot, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Lets nothing of a key leave until then, in any replica and after a restart; never shortens an earlier pause. */
  pause(key: string, untilMs: number): Promise<void>;
  usage(key: string, limit?: number): Promise<QuotaUsage>;
  /** Lets nothing new leave, rejects all who wait, and resolves when the calls under way have been answered. */
  close(): Promise<void>;
}

/** Creates the quota of all keys. Loads nothing of Redis unless it is given a Redis URL. */
export async function createQuota(options: QuotaOptions): Promise<Quota> {
  const { journal, redisUrl, backgroundShare = 0.8, now = Date.now, log = { warn() {} } } = options;
  const timing = createTiming(options);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const context: QuotaContext = { timing, backgroundShare, now, log, closed: closing.signal };
  const store = redisUrl
    ? (await import('./redis-store.ts')).createRedisStore(redisUrl, context)
    : await createJournalStore(journal, context);
  const keys = createKeys(store, context);
  const pursuit = createPursuit(keys, store, context);
  let isClosed = false;

  for (const { key, ...slot } of store.remembered) {
    const slots = keys.enter(key, defaultLimit);
    void slots.takeAgain(slot).then(() => keys.leave(key));
  }

  return {
    run(slot, call) {
      const { key, limit = defaultLimit, lane, onQueued } = slot;
      const { ticket, answer } = createTicket(call, { ...slot, callTimeoutMs: timing.callTimeoutMs, now });
      if (isClosed) ticket.refuse(closedError());
      if (!Number.isInteger(limit) || limit < 1) ticket.refuse(limitError(limit));
      if (ticket.isWaiting()) void pursuit.pursue({ key, limit, lane, onQueued }, ticket);
      return answer;
    },

    pause: (key, untilMs) => store.pause(key, untilMs),

    async usage(key, limit = defaultLimit) {
      const fullness = await readFullness(key, limit, store, context);
      const lines = keys.get(key)?.lines;
      const waiting = forEachLane((lane) => (lines ? waitingBefore(undefined, lines[lane]) : 0));
      return {
        limit,
        backgroundLimit: backgroundSlots(limit, backgroundShare),
        holdMs: timing.holdMs,
        used: forEachLane((lane) => fullness.held.filter((slot) => slot.lane === lane).length),
        waiting,
        waitMs: forEachLane((lane) => estimateWaitMs(lane, waiting, fullness)),
      };
    },

    async close() {
      isClosed = true;
      for (const { lines } of keys.all()) {
        for (const ticket of [...lines.people, ...lines.background]) ticket.refuse(closedError());
      }
      await pursuit.landed();
      // In this order: what is released after the connection has gone stays taken in Redis for as long as it counts.
      await store.close();
      closing.abort();
    },
  };
}

function closedError(): RackhandError {
  return new RackhandError('stopped', 'Rackhand is stopping, so the call was not sent.');
}

function limitError(limit: number): RackhandError {
  return new RackhandError(
    'setting_invalid',
    `A quota is a whole number of calls, at least 1, and not ${limit}.`,
  );
}
