import type { Lane } from './lanes.ts';

export interface JournaledCall {
  /** Fingerprint of the API key. */
  readonly key: string;
  readonly callId: string;
  readonly lane: Lane;
  readonly leftAtMs: number;
  /** `null` while no answer or failure is known. */
  readonly answeredAtMs: number | null;
}

export interface JournaledPause {
  readonly key: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What the quota remembers across a restart when there is no Redis. Storage implements it; times are epoch ms. */
export interface CallJournal {
  /** Keeps a call before it leaves. When this rejects, the call does not leave. */
  leaving(call: Omit<JournaledCall, 'answeredAtMs'>): Promise<void>;
  /** Notes that a call's answer or failure has arrived. */
  answered(callId: string, atMs: number): Promise<void>;
  /** Gives the calls that left at `sinceMs` or later. */
  since(sinceMs: number): Promise<readonly JournaledCall[]>;
  /** Keeps a pause, instead of an earlier one of the same key. */
  pause(pause: JournaledPause): Promise<void>;
  /** Gives the pauses that end after `nowMs`. */
  pauses(nowMs: number): Promise<readonly JournaledPause[]>;
  /** Drops the calls that left, and the pauses that ended, before `beforeMs`. */
  forget(beforeMs: number): Promise<void>;
}
