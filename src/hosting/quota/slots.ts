import type { Lane, SlotLimits } from './lanes.ts';

/** A slot in a key's quota, used by one call. */
export interface Slot {
  readonly id: string;
  /** See `fingerprintKey`. */
  readonly fingerprint: string;
  readonly lane: Lane;
  /** The person, report or workspace making the call. */
  readonly caller: string;
}

export type SlotInUse = Pick<Slot, 'lane' | 'caller'> & { readonly freeAfterMs: number };

/** Why all calls of a key wait: the service answered 429, or the database doesn't answer. */
export type BlockReason = 'pause' | 'unreachable';

/** A key's load across all processes: its slots in use by ID, and a block if all calls have to wait. */
export interface KeyLoad {
  readonly slots: ReadonlyMap<string, SlotInUse>;
  readonly block?: { readonly reason: BlockReason; readonly forMs: number } | undefined;
}

/** Tracks slots in use across processes and restarts. Methods reject if the database doesn't answer. */
export interface Slots {
  /** Takes or renews a slot if fewer slots than the limits are in use. */
  take(slot: Slot, limits: SlotLimits): Promise<KeyLoad & { readonly isTaken: boolean }>;
  /** Records that a call was answered or failed. Its slot stays in use for the hold time. */
  answered(slot: Slot): Promise<void>;
  /** Frees a slot whose call was certainly not sent. */
  cancel(slot: Slot): Promise<void>;
  /** Pauses a key's calls. Never shortens an earlier pause. */
  pause(fingerprint: string, forMs: number): Promise<void>;
  list(fingerprint: string): Promise<KeyLoad>;
}

/** Slots for a process that doesn't share its keys with other processes and doesn't restart. */
export const unsharedSlots: Slots = {
  take: async () => ({ isTaken: true, slots: new Map() }),
  answered: async () => undefined,
  cancel: async () => undefined,
  pause: async () => undefined,
  list: async () => ({ slots: new Map() }),
};

/** Returns whether a call can use a slot in addition to the other slots in use. */
export function hasRoom(slots: KeyLoad['slots'], { id, lane, caller }: Slot, limits: SlotLimits): boolean {
  const others = [...slots].flatMap(([otherId, slot]) => (otherId === id ? [] : [slot]));
  const inLane = others.filter((slot) => slot.lane === lane);
  return (
    others.length < limits.all &&
    (lane === 'people' || inLane.length < limits.background) &&
    inLane.filter((slot) => slot.caller === caller).length < limits.caller[lane]
  );
}
