import {
  isRecord,
  isVpsName,
  normalizeFieldName,
  type ServiceRecord,
} from '../../../hosting/profile/values/records.ts';

const maxDepth = 4;

/** The note of a list that is empty because its entries weren't understood. */
export const unreadEntriesNote =
  "The service's response has entries that Rackhand doesn't understand. They are shown under their own names.";

/** The note of a reply whose response has more values than Rackhand reads. */
export const cutResponseNote =
  "The service's response is unusually long. Only part of it was read, so something may be missing here.";

/** Matches normalized names of fields that can contain an entry of a list, or a part of one. */
const entryFields = {
  snapshots: /snap|^(name|title|others)$/,
  vlans: /^(vlans?|networks?|iprange|cidr|others)$|vlan(id|name)$/,
  addresses: /^(ipv?[46]?s?|addresses|(ip)?address|others)$|^ip(v[46])?(list|addresses)$/,
  sshPorts: /port|^(mappings?|others)$/,
  webgate: /domain|ports?$|balanc|^(lbs?|sites?|others)$/,
} as const;

/** Matches normalized names of fields that say how many entries there can be. */
const limitField = /quota|limit|max|used|usage|free|avail|remain|allow|plan|price|enabled/;

/** Matches normalized names of fields that say how many entries there are. */
const countField = /^(count|total|totalcount|totalitems|number)$/;

/**
 * Returns whether the rest of a payload contains entries, or says that there are some. If so, the
 * number of entries is unknown.
 */
export function hasUnreadEntries(otherFields: ServiceRecord, kind: keyof typeof entryFields): boolean {
  if (hasRecordList(otherFields, maxDepth)) return true;
  return Object.entries(otherFields).some(([field, value]) => {
    const name = normalizeFieldName(field);
    // In a map, the entries can be the fields: `{ "40001": "VPS-10001" }`.
    if (/^\d+$/.test(name) && isVpsName(value)) return true;
    const isEntry = (entryFields[kind].test(name) && !limitField.test(name)) || countField.test(name);
    return isEntry && hasContent(value, maxDepth);
  });
}

function hasRecordList(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.some(isRecord);
  if (!isRecord(value) || depth === 0) return false;
  return Object.values(value).some((inner) => hasRecordList(inner, depth - 1));
}

const emptyText = /^(|0|no|none|null|false|-|–)$/i;

/** Returns whether a value says more than that there is nothing. A VPS name says whose list it is. */
function hasContent(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return !emptyText.test(value.trim()) && !isVpsName(value);
  if (typeof value === 'number') return value > 0;
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.entries(value).some(
    ([field, inner]) => !limitField.test(normalizeFieldName(field)) && hasContent(inner, depth - 1),
  );
}
