import { isRecord, type ServiceRecord } from '../../../hosting/profile/values/records.ts';

const maxDepth = 4;

/** The note of a list that is empty because its entries weren't understood. */
export const unreadEntriesNote =
  "The service's response has entries that Rackhand doesn't understand. They are shown under their own names.";

/** The note of a reply whose response has more values than Rackhand reads. */
export const cutResponseNote =
  "The service's response is unusually long. Only part of it was read, so something may be missing here.";

/**
 * Returns whether the rest of a payload contains a list of records. If so, the number of entries is
 * unknown.
 */
export function hasUnreadEntries(otherFields: ServiceRecord): boolean {
  return hasRecordList(otherFields, maxDepth);
}

function hasRecordList(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.some(isRecord);
  if (!isRecord(value) || depth === 0) return false;
  return Object.values(value).some((inner) => hasRecordList(inner, depth - 1));
}
