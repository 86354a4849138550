import { z } from 'zod';
import type { HeldSlot, Slot } from './ledger.ts';

const lane = z.enum(['people', 'background']);

/** Returns the member of the sorted set of slots. */
export function formatSlot({ lane, callId, line }: Slot): string {
  return `${lane}|${callId}|${line}`;
}

/** Parses a sorted set of slots: member, ms until it is free, member, … */
export function parseHeldSlots(members: readonly (string | number)[]): HeldSlot[] {
  const slots: HeldSlot[] = [];
  for (let i = 0; i < members.length; i += 2) {
    const [slotLane, , ...line] = String(members[i]).split('|');
    slots.push({ lane: lane.parse(slotLane), line: line.join('|'), freeAfterMs: Number(members[i + 1]) });
  }
  return slots;
}
