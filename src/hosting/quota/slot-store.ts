import type { Lane } from './lanes.ts';
import type { SlotLimiter } from './slot-limiter.ts';
import type { QuotaTiming } from './timing.ts';

/** A call on its way into or out of a slot. */
export interface SlotCall {
  readonly key: string;
  readonly callId: string;
  readonly lane: Lane;
}

/** A slot that a call holds, and when it comes free; for a call under way, as if it were answered now. */
export interface HeldSlot {
  readonly lane: Lane;
  readonly releaseAtMs: number;
}

/** Keeps the slots and pauses of all keys: in this process and its journal, or in Redis for all replicas. */
export interface SlotStore {
  /** Slots of calls that left before this process started; they have to be taken again. */
  readonly remembered: readonly (HeldSlot & { readonly key: string })[];
  /** How long after it was asked for a slot comes back by itself; `null` where slots end with their process. */
  readonly expirationMs: number | null;
  /** Opens the limiter of that name; waits for as long as that is impossible. */
  openLimiter(name: string, slots: number): Promise<SlotLimiter>;
  /** Records that a call leaves now and answers 0, or answers for how many ms it must not leave. */
  depart(call: SlotCall): Promise<number>;
  /** Records that a call's answer or failure has arrived. Never rejects. */
  answered(call: SlotCall): Promise<void>;
  /** Lets nothing of a key leave until then; never shortens an earlier pause. */
  pause(key: string, untilMs: number): Promise<void>;
  /** Answers for how many ms nothing of a key may leave. */
  obstacleMs(key: string): Promise<number>;
  held(key: string): Promise<readonly HeldSlot[]>;
  close(): Promise<void>;
}

/** Where the quota reports what it meets; a pino logger is one. */
export interface QuotaLog {
  warn(fields: object, message: string): void;
}

/** What every part of a quota shares. */
export interface QuotaContext {
  readonly timing: QuotaTiming;
  /** Part of a quota that the background lane may fill, between 0 and 1. */
  readonly backgroundShare: number;
  readonly now: () => number;
  readonly log: QuotaLog;
  /** Aborts when the quota is closed. */
  readonly closed: AbortSignal;
}
