import { RackhandError } from '../../errors.ts';

/** `people`: someone is waiting for the result. `background`: reports and polls, which can wait. */
export type Lane = 'people' | 'background';

/** How much of a quota each kind of call can use, as shares between 0 and 1. */
export interface QuotaShares {
  /** Share of the quota that the background lane can use. */
  readonly background: number;
  /** Share of the quota that one person's calls can use. */
  readonly person: number;
  /** Share of the background lane that one caller in it, such as a report, can use. */
  readonly report: number;
}

/** Default quota of a key according to the API document, in calls per window. */
export const defaultQuotaLimit = 50;

/** 40 of 50 slots for the background, 40 of 50 for one person, 36 of 40 for one report. */
export const defaultShares: QuotaShares = { background: 0.8, person: 0.8, report: 0.9 };

/** How many slots of a key can be used at the same time. */
export interface SlotLimits {
  readonly all: number;
  readonly background: number;
  /** How many slots one caller in each lane can use. */
  readonly caller: Readonly<Record<Lane, number>>;
}

/**
 * Divides a quota. Each part is rounded down, but has at least one slot. Throws `setting_invalid` if the
 * quota isn't a positive integer.
 */
export function toSlotLimits(limit: number, shares: QuotaShares): SlotLimits {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    const message = `A quota must be a whole number of calls, at least 1, but is ${limit}.`;
    throw new RackhandError('setting_invalid', message);
  }
  const background = takeShare(limit, shares.background);
  const caller = {
    people: takeShare(limit, shares.person),
    background: takeShare(background, shares.report),
  };
  return { all: limit, background, caller };
}

function takeShare(slots: number, share: number): number {
  // The small addition keeps 0.29 of 100 from becoming 28.
  return Math.max(1, Math.floor(slots * share + 1e-9));
}

/** Builds a record with one value for each lane. */
export function mapLanes<T>(map: (lane: Lane) => T): Record<Lane, T> {
  return { people: map('people'), background: map('background') };
}
