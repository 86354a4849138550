import type { Fact, SecretRef } from './outcome.ts';

/** The target's current state, as a confirmation shows it. */
export interface TargetState {
  readonly facts: readonly Fact[];
  /**
   * The value that the confirmation is bound to. If it has changed by the time of the click, the card is
   * shown again.
   */
  readonly fingerprint: string;
}

/** Display names for IDs in the input, by argument. */
export type DisplayNames = Readonly<Record<string, string>>;

/** The progress of work that continues after the call. */
export interface Progress {
  /** Whether polling has ended. */
  readonly isFinished: boolean;
  /**
   * Set if polling ended before the work was seen to end, because it took too long or because the service
   * doesn't show when it ends.
   */
  readonly isEndUnknown?: true;
  /** When the work was seen to have ended (epoch ms). */
  readonly endedMs?: number;
  /** Set if the work can no longer be stopped, because all of it has begun. */
  readonly isBeyondStop?: true;
  /** A sentence, such as "VPS-10001 is rebooting." */
  readonly text: string;
  readonly facts?: readonly Fact[];
  /** Secrets that can be shown before the work ends, such as the password of a VPS that is being installed. */
  readonly secretRef?: SecretRef;
  /** The state of the VPS, as the service names it. */
  readonly state?: string;
}
