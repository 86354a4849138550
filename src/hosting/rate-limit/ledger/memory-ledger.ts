import type { Lane } from '../lanes.ts';
import type { CallJournal } from './call-journal.ts';
import {
  type Ledger,
  type LimiterContext,
  peopleFirstMs,
  peopleGraceMs,
  type Slot,
  type SlotRequest,
  type WaitReason,
} from './ledger.ts';

interface RecordedSlot {
  readonly lane: Lane;
  readonly line: string;
  /** Infinite while the call is in flight. */
  readonly freeAtMs: number;
}

interface KeyState {
  /** The slots by call ID. */
  readonly slots: Map<string, RecordedSlot>;
  pausedUntilMs: number;
  /** The time until which background calls yield to people's calls. */
  peopleFirstUntilMs: number;
}

/**
 * The longest time that recording a call can take. Records are kept that much longer, because the
 * call can have been sent that much later.
 */
const maxRecordMs = 60_000;

/**
 * Creates the ledger of a single process. It uses a clock that never jumps. The
 * journal keeps the last window's calls and the pauses across a restart.
 */
export async function createMemoryLedger(
  journal: CallJournal | undefined,
  { timing: { windowMs, holdMs, expirationMs }, now, clock, logger }: LimiterContext,
): Promise<Ledger> {
  const keys = new Map<string, KeyState>();
  const keptMs = expirationMs + maxRecordMs;
  let prunedAtMs = clock();

  function getKey(fingerprint: string): KeyState {
    const key = keys.get(fingerprint) ?? { slots: new Map(), pausedUntilMs: 0, peopleFirstUntilMs: 0 };
    keys.set(fingerprint, key);
    return key;
  }

  /** Returns the slots in use. A call in flight keeps its slot for at least one more window. */
  function listHeld({ slots }: KeyState): RecordedSlot[] {
    const nowMs = clock();
    return [...slots.values()]
      .filter(({ freeAtMs }) => freeAtMs > nowMs)
      .map((slot) => ({ ...slot, freeAtMs: Math.min(slot.freeAtMs, nowMs + holdMs) }));
  }

  /** Returns the longest wait of a call and its reason. */
  function findWait(key: KeyState, { slot: { lane, line }, limits }: SlotRequest) {
    const nowMs = clock();
    const held = listHeld(key);
    const heldInLane = held.filter((slot) => slot.lane === lane);
    const waits: [WaitReason, number][] = [
      ['pause', key.pausedUntilMs - nowMs],
      ['quota', waitForSlot(held, limits.all) - nowMs],
    ];
    if (lane === 'background') {
      waits.push(['lane', waitForSlot(heldInLane, limits.background) - nowMs]);
      waits.push(['people', key.peopleFirstUntilMs > nowMs ? peopleFirstMs : 0]);
    }
    if (line !== '') {
      const heldInLine = heldInLane.filter((slot) => slot.line === line);
      waits.push(['line', waitForSlot(heldInLine, limits.line[lane]) - nowMs]);
    }
    return waits.reduce((longest, wait) => (wait[1] > longest[1] ? wait : longest));
  }

  async function prune() {
    if (clock() - prunedAtMs < windowMs) return;
    prunedAtMs = clock();
    for (const [fingerprint, { slots, pausedUntilMs }] of keys) {
      for (const [callId, { freeAtMs }] of slots) if (freeAtMs <= clock()) slots.delete(callId);
      if (slots.size === 0 && pausedUntilMs <= clock()) keys.delete(fingerprint);
    }
    await journal?.deleteBefore(now() - keptMs);
  }

  const startedAtMs = now();
  // The clock of the earlier process can have been ahead. Its calls count as answered now at the
  // latest, and its pauses don't get longer. Lines are not journaled: their shares start again from zero.
  for (const call of (await journal?.listCallsSince(startedAtMs - keptMs)) ?? []) {
    const answeredAtMs = Math.min(call.answeredAtMs ?? startedAtMs, startedAtMs);
    if (answeredAtMs !== call.answeredAtMs) await journal?.recordAnswered(call.callId, answeredAtMs);
    const freeAtMs = clock() + answeredAtMs + holdMs - startedAtMs;
    getKey(call.fingerprint).slots.set(call.callId, { lane: call.lane, line: '', freeAtMs });
  }
  for (const { fingerprint, fromMs, untilMs } of (await journal?.listPauses(startedAtMs)) ?? []) {
    getKey(fingerprint).pausedUntilMs = clock() + Math.min(untilMs - startedAtMs, untilMs - fromMs);
  }

  /**
   * Records that a call is about to be sent. Returns the time from which its slot counts: the end of
   * the write, because no other process can take the slot.
   */
  async function record({ fingerprint, callId, lane }: Slot): Promise<number> {
    const fromMs = clock();
    await journal?.recordSent({ fingerprint, callId, lane, sentAtMs: now() });
    const doneMs = clock();
    return doneMs - fromMs <= maxRecordMs ? doneMs : fromMs;
  }

  async function cancel({ fingerprint, callId }: Slot) {
    getKey(fingerprint).slots.delete(callId);
    try {
      await journal?.deleteCall(callId);
    } catch (error) {
      logger.warn({ error }, 'an unsent call was not removed; after a restart it holds a slot');
    }
  }

  return {
    // Whatever frees a slot also wakes the calls that wait.
    maxWaitMs: Number.POSITIVE_INFINITY,

    async acquire(request) {
      const { fingerprint, callId, lane, line } = request.slot;
      const key = getKey(fingerprint);
      if (key.slots.has(callId)) {
        const pausedForMs = key.pausedUntilMs - clock();
        if (pausedForMs > 0) {
          await cancel(request.slot);
          return { isGranted: false, waitMs: pausedForMs, reason: 'pause' };
        }
        // The process was frozen, so it sends the call later than it recorded.
        return { isGranted: true, atMs: await record(request.slot) };
      }
      const isPerson = lane === 'people';
      // A person's call can have been rejected at its deadline.
      if (!isPerson && !request.arePeopleWaiting) key.peopleFirstUntilMs = 0;
      const [reason, waitMs] = findWait(key, request);
      if (waitMs > 0) {
        if (isPerson && reason !== 'line') key.peopleFirstUntilMs = clock() + waitMs + peopleGraceMs;
        return { isGranted: false, waitMs, reason };
      }
      if (isPerson && !request.arePeopleWaiting) key.peopleFirstUntilMs = 0;
      key.slots.set(callId, { lane, line, freeAtMs: Number.POSITIVE_INFINITY });
      try {
        return { isGranted: true, atMs: await record(request.slot) };
      } catch (error) {
        key.slots.delete(callId);
        throw error;
      }
    },

    async markAnswered({ fingerprint, callId, lane, line }) {
      getKey(fingerprint).slots.set(callId, { lane, line, freeAtMs: clock() + holdMs });
      try {
        await journal?.recordAnswered(callId, now());
        await prune();
      } catch (error) {
        logger.warn(
          { error },
          'a response was not recorded; after a restart its call holds its slot for longer',
        );
      }
    },

    cancel,

    async pause(fingerprint, untilMs) {
      const key = getKey(fingerprint);
      const pausedUntilMs = clock() + untilMs - now();
      if (pausedUntilMs <= Math.max(key.pausedUntilMs, clock())) return;
      key.pausedUntilMs = pausedUntilMs;
      try {
        await journal?.recordPause({ fingerprint, fromMs: now(), untilMs });
      } catch (error) {
        logger.warn({ error }, 'a pause was not recorded; a restart ends it');
      }
    },

    async load(fingerprint) {
      const key = getKey(fingerprint);
      return {
        heldSlots: listHeld(key).map(({ lane, line, freeAtMs }) => ({
          lane,
          line,
          freeAfterMs: freeAtMs - clock(),
        })),
        blockedForMs: Math.max(0, key.pausedUntilMs - clock()),
        blockedReason: 'pause',
      };
    },

    async close() {},
  };
}

/** Returns when one of `limit` slots is free, or 0 if one is free now. */
function waitForSlot(held: readonly RecordedSlot[], limit: number): number {
  const times = held.map(({ freeAtMs }) => freeAtMs).sort((a, b) => a - b);
  return times[times.length - limit] ?? 0;
}
