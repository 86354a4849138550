import type { Lane } from '../lanes.ts';

export interface JournaledCall {
  /** Fingerprint of the API key. */
  readonly fingerprint: string;
  readonly callId: string;
  readonly lane: Lane;
  readonly sentAtMs: number;
  /** `null` until the call was answered or failed. */
  readonly answeredAtMs: number | null;
}

export interface JournaledPause {
  readonly fingerprint: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Stores the quota's calls and pauses across restarts, if there is no Redis. Implemented in `db/`.
 * Times are epoch ms.
 */
export interface CallJournal {
  /** Records a call before it is sent, or again if it is sent later. If this rejects, the call isn't sent. */
  recordSent(call: Omit<JournaledCall, 'answeredAtMs'>): Promise<void>;
  /** Records that a call was answered or failed. */
  recordAnswered(callId: string, atMs: number): Promise<void>;
  /** Deletes a call that was not sent after all. */
  deleteCall(callId: string): Promise<void>;
  /**
   * Returns the calls that were sent or answered at or after `sinceMs`, and those without an
   * answer. A process that was frozen sends a call later than it was recorded.
   */
  listCallsSince(sinceMs: number): Promise<readonly JournaledCall[]>;
  /** Records a pause. Replaces an earlier pause of the same key. */
  recordPause(pause: JournaledPause): Promise<void>;
  /** Returns the pauses that end after `nowMs`. */
  listPauses(nowMs: number): Promise<readonly JournaledPause[]>;
  /** Deletes calls that were answered, and pauses that ended, before `beforeMs`. */
  deleteBefore(beforeMs: number): Promise<void>;
}
