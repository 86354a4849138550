import type { Lane, QuotaShares, SlotLimits } from '../lanes.ts';
import type { QuotaTiming } from '../quota-timing.ts';

/**
 * Why a call has to wait. `quota`, `lane` and `line`: all slots of the key, of the background lane,
 * or of one person or report are in use. `people`: a person's call goes first. `pause`: the service
 * answered 429. `unknown`: Redis is new or lost its state. `unreachable`: Redis doesn't answer.
 */
export type WaitReason = 'quota' | 'lane' | 'line' | 'people' | 'pause' | 'unknown' | 'unreachable';

/** A slot, which one call uses. */
export interface Slot {
  readonly fingerprint: string;
  readonly callId: string;
  readonly lane: Lane;
  /** The person, report or workspace that makes the call. Empty for a call that no line limits. */
  readonly line: string;
}

export interface SlotRequest {
  readonly slot: Slot;
  readonly limits: SlotLimits;
  /** Whether other calls of people wait for the key's slots in this process. */
  readonly arePeopleWaiting: boolean;
}

export type SlotDecision =
  /** `atMs`: the time from which the slot counts, on the clock that never jumps. */
  | { readonly isGranted: true; readonly atMs: number }
  /** `waitMs`: when to ask again. */
  | { readonly isGranted: false; readonly waitMs: number; readonly reason: WaitReason };

/** A slot in use, and after how many ms it will be free. A call in flight counts as answered now. */
export interface HeldSlot {
  readonly lane: Lane;
  readonly line: string;
  readonly freeAfterMs: number;
}

/** The slots of a key in use, and for how many ms the whole key is blocked. */
export interface KeyLoad {
  readonly heldSlots: readonly HeldSlot[];
  readonly blockedForMs: number;
  readonly blockedReason: WaitReason;
}

/**
 * Decides whether a call can be sent, so that no sliding window contains more calls than the quota.
 * Records the slots of all keys: either in this process and its journal, or in Redis for all
 * replicas.
 */
export interface Ledger {
  /** How long a call waits at most before it asks again, whatever the ledger has answered. */
  readonly maxWaitMs: number;
  /**
   * Takes the slot if it is free. A slot that the ledger has already granted is granted again, or
   * freed if the key was paused since. Rejects if the call can't be recorded.
   */
  acquire(request: SlotRequest): Promise<SlotDecision>;
  /** Records that a call was answered or failed. Its slot stays in use for a window. Never rejects. */
  markAnswered(slot: Slot): Promise<void>;
  /** Frees the slot of a call that was certainly not sent. Never rejects. */
  cancel(slot: Slot): Promise<void>;
  /** Stops a key's calls until `untilMs` (epoch ms). Never shortens an earlier pause. Never rejects. */
  pause(fingerprint: string, untilMs: number): Promise<void>;
  load(fingerprint: string): Promise<KeyLoad>;
  /** Called when no call is in flight. */
  close(): Promise<void>;
}

/** Wait of a background call while people's calls take the free slots one after the other. */
export const peopleFirstMs = 20;

/**
 * How long background calls keep yielding after the time when a waiting person's call should have
 * asked again.
 */
export const peopleGraceMs = 1_000;

/** The part of a pino logger that the rate limiter uses. */
export interface LimiterLogger {
  warn(fields: object, message: string): void;
}

/** Passed to all parts of a rate limiter. */
export interface LimiterContext {
  readonly timing: QuotaTiming;
  readonly shares: QuotaShares;
  /** The time of day (epoch ms), which can jump. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly clock: () => number;
  readonly logger: LimiterLogger;
}
