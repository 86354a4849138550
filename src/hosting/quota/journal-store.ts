import Bottleneck from 'bottleneck';
import type { CallJournal } from './call-journal.ts';
import { createSlotLimiter } from './slot-limiter.ts';
import type { HeldSlot, QuotaContext, SlotStore } from './slot-store.ts';

/** Creates the store of a process that has its keys for itself, and reads from the journal what the one before it did. */
export async function createJournalStore(
  journal: CallJournal | undefined,
  { timing: { windowMs, holdMs, expirationMs }, now, log }: QuotaContext,
): Promise<SlotStore> {
  const startedAtMs = now();
  const heldByKey = new Map<string, Map<string, HeldSlot>>();
  const pausedUntilMs = new Map<string, number>();
  let tidiedAtMs = startedAtMs;

  function hold(key: string, callId: string, slot: HeldSlot) {
    const held = heldByKey.get(key) ?? new Map<string, HeldSlot>();
    heldByKey.set(key, held.set(callId, slot));
  }

  function held(key: string): readonly HeldSlot[] {
    return [...(heldByKey.get(key)?.values() ?? [])].filter(({ releaseAtMs }) => releaseAtMs > now());
  }

  function obstacleMs(key: string): number {
    return Math.max(0, (pausedUntilMs.get(key) ?? 0) - now());
  }

  async function tidy() {
    if (Math.abs(now() - tidiedAtMs) < windowMs) return;
    tidiedAtMs = now();
    for (const [key, slots] of heldByKey) {
      for (const [callId, { releaseAtMs }] of slots) if (releaseAtMs <= now()) slots.delete(callId);
      if (slots.size === 0) heldByKey.delete(key);
    }
    for (const [key, untilMs] of pausedUntilMs) if (untilMs <= now()) pausedUntilMs.delete(key);
    await journal?.forget(now() - expirationMs);
  }

  // Nothing of before the start is later than the start, whatever its clock said: an answer counts from now at the
  // latest, and a pause lasts no longer than it was meant to.
  for (const call of (await journal?.since(startedAtMs - expirationMs)) ?? []) {
    const answeredAtMs = Math.min(call.answeredAtMs ?? startedAtMs, startedAtMs);
    if (answeredAtMs !== call.answeredAtMs) await journal?.answered(call.callId, answeredAtMs);
    hold(call.key, call.callId, { lane: call.lane, releaseAtMs: answeredAtMs + holdMs });
  }
  for (const { key, fromMs, untilMs } of (await journal?.pauses(startedAtMs)) ?? []) {
    pausedUntilMs.set(key, Math.min(untilMs, startedAtMs + untilMs - fromMs));
  }

  return {
    remembered: [...heldByKey.keys()].flatMap((key) => held(key).map((slot) => ({ key, ...slot }))),
    expirationMs: null,
    async openLimiter(_name, slots) {
      return createSlotLimiter(new Bottleneck({ maxConcurrent: slots }), now);
    },
    async depart({ key, callId, lane }) {
      const waitMs = obstacleMs(key);
      if (waitMs > 0) return waitMs;
      const leftAtMs = now();
      await journal?.leaving({ key, callId, lane, leftAtMs });
      hold(key, callId, { lane, releaseAtMs: leftAtMs + holdMs });
      return 0;
    },
    async answered({ key, callId, lane }) {
      hold(key, callId, { lane, releaseAtMs: now() + holdMs });
      try {
        await journal?.answered(callId, now());
        await tidy();
      } catch (error) {
        log.warn({ error }, 'an answer was not recorded; after a restart its call counts for longer');
      }
    },
    async pause(key, untilMs) {
      if (untilMs <= now() + obstacleMs(key)) return;
      pausedUntilMs.set(key, untilMs);
      await journal?.pause({ key, fromMs: now(), untilMs });
    },
    obstacleMs: async (key) => obstacleMs(key),
    held: async (key) => held(key),
    async close() {},
  };
}
