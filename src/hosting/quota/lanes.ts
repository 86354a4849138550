import { RackhandError } from '../../errors.ts';

/** `people`: someone is waiting for the result. `background`: reports and polls, which can wait. */
export type Lane = 'people' | 'background';

/** Default quota of a key according to the API document, in calls per window. */
export const defaultQuotaLimit = 50;

/**
 * The background's share of the quota. The other shares are for one report (within the background's) and one
 * person.
 */
const backgroundShare = 0.8;
const reportShare = 0.9;
export const defaultPersonShare = 0.8;

export interface SlotLimits {
  readonly all: number;
  readonly background: number;
  /** How many slots one caller can use, by lane. */
  readonly caller: Readonly<Record<Lane, number>>;
}

/** Divides a quota. Throws `setting_invalid` if it isn't a positive integer. */
export function toSlotLimits(limit: number, personShare: number): SlotLimits {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    const message = `A quota must be a whole number of calls, at least 1, but is ${limit}.`;
    throw new RackhandError('setting_invalid', message);
  }
  // The small addition keeps a rounding error from turning 0.29 of 100 into 28.
  const takeShare = (slots: number, share: number) => Math.max(1, Math.floor(slots * share + 1e-9));
  const background = takeShare(limit, backgroundShare);
  const caller = { people: takeShare(limit, personShare), background: takeShare(background, reportShare) };
  return { all: limit, background, caller };
}

export function mapLanes<T>(map: (lane: Lane) => T): Record<Lane, T> {
  return { people: map('people'), background: map('background') };
}
