import type { Lane } from '../lanes.ts';
import type { QuotaTiming } from '../quota-timing.ts';
import type { SlotLimiter } from './slot-limiter.ts';

export interface SlotCall {
  readonly fingerprint: string;
  readonly callId: string;
  readonly lane: Lane;
}

/** A slot in use and when it will be released. A call in flight counts as answered now. */
export interface HeldSlot {
  readonly lane: Lane;
  readonly releaseAtMs: number;
}

/**
 * Stores the slots and pauses of all keys: either in this process and its journal, or in Redis for
 * all replicas.
 */
export interface SlotStore {
  /** Slots still held by calls from before this process started. */
  readonly restoredSlots: readonly (HeldSlot & { readonly fingerprint: string })[];
  /**
   * How long after its request an abandoned slot is released; `null` if slots end with their
   * process.
   */
  readonly expirationMs: number | null;
  /** Opens the limiter with that name. Waits until that is possible. */
  createLimiter(name: string, slots: number): Promise<SlotLimiter>;
  /**
   * Records a call that is about to be sent and returns 0. If the key is blocked, returns for how
   * many ms instead.
   */
  acquire(call: SlotCall): Promise<number>;
  /** Records that a call was answered or failed. Never rejects. */
  markAnswered(call: SlotCall): Promise<void>;
  /** Stops a key's calls until `untilMs`. Never shortens an earlier pause. */
  pause(fingerprint: string, untilMs: number): Promise<void>;
  /** Returns for how many ms a key is still blocked. */
  blockedForMs(fingerprint: string): Promise<number>;
  listHeldSlots(fingerprint: string): Promise<readonly HeldSlot[]>;
  close(): Promise<void>;
}

/** The part of a pino logger that the quota uses. */
export interface QuotaLogger {
  warn(fields: object, message: string): void;
}

/** Passed to all parts of a quota. */
export interface QuotaContext {
  readonly timing: QuotaTiming;
  /** Share of a quota that the background lane can use, between 0 and 1. */
  readonly backgroundShare: number;
  readonly now: () => number;
  readonly logger: QuotaLogger;
  /** Aborts when the quota is closed. */
  readonly closed: AbortSignal;
}
