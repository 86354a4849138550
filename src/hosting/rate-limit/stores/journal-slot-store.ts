import Bottleneck from 'bottleneck';
import type { CallJournal } from './call-journal.ts';
import { createSlotLimiter } from './slot-limiter.ts';
import type { HeldSlot, QuotaContext, SlotStore } from './slot-store.ts';

/**
 * Creates the slot store of a single process. Restores the previous process's calls and pauses from
 * the journal.
 */
export async function createJournalSlotStore(
  journal: CallJournal | undefined,
  { timing: { windowMs, holdMs, expirationMs }, now, logger }: QuotaContext,
): Promise<SlotStore> {
  const startedAtMs = now();
  const heldByKey = new Map<string, Map<string, HeldSlot>>();
  const pausedUntilMs = new Map<string, number>();
  let prunedAtMs = startedAtMs;

  function hold(fingerprint: string, callId: string, slot: HeldSlot) {
    const slots = heldByKey.get(fingerprint) ?? new Map<string, HeldSlot>();
    heldByKey.set(fingerprint, slots.set(callId, slot));
  }

  function listHeld(fingerprint: string): readonly HeldSlot[] {
    return [...(heldByKey.get(fingerprint)?.values() ?? [])].filter(({ releaseAtMs }) => releaseAtMs > now());
  }

  function blockedForMs(fingerprint: string): number {
    return Math.max(0, (pausedUntilMs.get(fingerprint) ?? 0) - now());
  }

  async function prune() {
    if (Math.abs(now() - prunedAtMs) < windowMs) return;
    prunedAtMs = now();
    for (const [fingerprint, slots] of heldByKey) {
      for (const [callId, { releaseAtMs }] of slots) if (releaseAtMs <= now()) slots.delete(callId);
      if (slots.size === 0) heldByKey.delete(fingerprint);
    }
    for (const [fingerprint, untilMs] of pausedUntilMs)
      if (untilMs <= now()) pausedUntilMs.delete(fingerprint);
    await journal?.deleteBefore(now() - expirationMs);
  }

  // The clock of the earlier process can have been ahead. Its calls count as answered now at the
  // latest, and its pauses don't get longer.
  for (const call of (await journal?.listCallsSince(startedAtMs - expirationMs)) ?? []) {
    const answeredAtMs = Math.min(call.answeredAtMs ?? startedAtMs, startedAtMs);
    if (answeredAtMs !== call.answeredAtMs) await journal?.recordAnswered(call.callId, answeredAtMs);
    hold(call.fingerprint, call.callId, { lane: call.lane, releaseAtMs: answeredAtMs + holdMs });
  }
  for (const { fingerprint, fromMs, untilMs } of (await journal?.listPauses(startedAtMs)) ?? []) {
    pausedUntilMs.set(fingerprint, Math.min(untilMs, startedAtMs + untilMs - fromMs));
  }

  return {
    restoredSlots: [...heldByKey.keys()].flatMap((fingerprint) =>
      listHeld(fingerprint).map((slot) => ({ fingerprint, ...slot })),
    ),
    expirationMs: null,
    async createLimiter(_name, slots) {
      return createSlotLimiter(new Bottleneck({ maxConcurrent: slots }), now);
    },
    async acquire({ fingerprint, callId, lane }) {
      const waitMs = blockedForMs(fingerprint);
      if (waitMs > 0) return waitMs;
      const sentAtMs = now();
      await journal?.recordSent({ fingerprint, callId, lane, sentAtMs });
      hold(fingerprint, callId, { lane, releaseAtMs: sentAtMs + holdMs });
      return 0;
    },
    async markAnswered({ fingerprint, callId, lane }) {
      hold(fingerprint, callId, { lane, releaseAtMs: now() + holdMs });
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
    async pause(fingerprint, untilMs) {
      if (untilMs <= now() + blockedForMs(fingerprint)) return;
      pausedUntilMs.set(fingerprint, untilMs);
      await journal?.recordPause({ fingerprint, fromMs: now(), untilMs });
    },
    blockedForMs: async (fingerprint) => blockedForMs(fingerprint),
    listHeldSlots: async (fingerprint) => listHeld(fingerprint),
    async close() {},
  };
}
