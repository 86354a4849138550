import { RackhandError } from '../../errors.ts';
import type { Lane } from './lanes.ts';
import type { BlockReason, Slot } from './slots.ts';

/** Why a call waits. `quota`, `lane`, `caller`: all slots of the key, the lane or the caller are in use. */
export type WaitReason = BlockReason | 'quota' | 'lane' | 'caller';

/** The reasons as shown to people, after "because". */
export const waitReasons: Readonly<Record<WaitReason, string>> = {
  quota: "this minute's request quota is used up",
  caller: "your share of this minute's request quota is used up",
  lane: 'background requests have used their share of the request quota',
  pause: 'the hosting service asked Rackhand to wait',
  unreachable: "Rackhand can't reach its database, where it counts its requests",
};

/** Called with an estimated wait in ms and its reason. */
export type OnQueued = (waitMs: number, reason: WaitReason) => void;

export interface WaitingOptions {
  readonly lane: Lane;
  /** The person, report or workspace making the call. Callers take turns, and each has a share of the quota. */
  readonly caller?: string | undefined;
  /** Time (epoch ms) after which the call must not be sent. */
  readonly notAfterMs?: number | undefined;
  /** If the signal aborts while the call is waiting, the call rejects with the abort reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the estimated wait in ms if the call has to wait, and again if the wait gets longer. */
  readonly onQueued?: OnQueued | undefined;
}

export type WaitingCall = ReturnType<typeof createWaitingCall>;

/** Maximum timer delay. Longer ones fire immediately. */
const maxTimerDelayMs = 2 ** 31 - 1;

/** Creates a call that waits until it gets a slot, its deadline passes or its signal aborts. */
export function createWaitingCall(
  { lane, caller = '', onQueued, notAfterMs = Number.POSITIVE_INFINITY, signal }: WaitingOptions,
  now: () => number,
  findReason: () => WaitReason,
) {
  const { promise: granted, resolve, reject } = Promise.withResolvers<Slot>();
  let hasEnded = false;
  const leftMs = notAfterMs - now();
  const expire = () =>
    end(() =>
      reject(deadlinePassedError(`This couldn't be sent in time, because ${waitReasons[findReason()]}.`)),
    );
  const deadline = leftMs < maxTimerDelayMs ? setTimeout(expire, leftMs) : undefined;
  const abort = () => end(() => reject(signal?.reason));

  function end(settle: () => void): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(deadline);
    signal?.removeEventListener('abort', abort);
    settle();
  }
  if (signal?.aborted) abort();
  if (leftMs <= 0) end(() => reject(deadlinePassedError('The deadline has passed.')));
  signal?.addEventListener('abort', abort);
  return {
    lane,
    caller,
    onQueued,
    /** Resolves to the slot, or rejects. */
    granted,
    /** Resolves when the call no longer waits. */
    ended: Promise.allSettled([granted]),
    isWaiting: () => !hasEnded && now() < notAfterMs,
    grant: (slot: Slot) => end(() => resolve(slot)),
    reject: (error: unknown) => end(() => reject(error)),
  };
}

/** Creates the error for a call whose deadline has passed. `reason` is a sentence. */
export function deadlinePassedError(reason: string): RackhandError {
  return new RackhandError('deadline_passed', `${reason} Nothing was sent.`);
}
