import { isRecord, normalizeFieldName, type ServiceRecord } from '../values/records.ts';

/**
 * Merges the payloads of a list's pages into one, with the entries of all pages in order. An entry
 * that is on two pages appears once. Fields that differ between pages describe a page, so they are
 * left out.
 */
export function mergePages(pages: readonly unknown[]): unknown {
  if (pages.length <= 1) return pages[0];
  if (pages.every(Array.isArray)) return mergeLists(pages);
  const records = pages.filter(isRecord);
  return records.length === pages.length ? mergeRecords(records, false) : pages[0];
}

/** Merges records field by field. If a field of an entry differs, its first value is kept. */
function mergeRecords(records: readonly ServiceRecord[], isEntry: boolean): ServiceRecord {
  const fields = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries(
    [...fields].flatMap((field): [string, unknown][] => {
      const values = records.flatMap((record) => (Object.hasOwn(record, field) ? [record[field]] : []));
      const [first] = values;
      if (values.every(Array.isArray)) {
        if (values.some((list) => list.some(isLink))) return [];
        return [[field, isEntry && !values.some((list) => list.some(isRecord)) ? first : mergeLists(values)]];
      }
      const inner = values.filter(isRecord);
      if (inner.length === values.length) return [[field, mergeRecords(inner, isEntry)]];
      return isEntry || values.every((value) => value === first) ? [[field, first]] : [];
    }),
  );
}

/** Returns whether a value is a link to a page or to the next or previous one. */
function isLink(value: unknown): boolean {
  return isRecord(value) && typeof value.rel === 'string';
}

/** Concatenates lists. The parts of an entry that is on several pages, such as a project, are merged. */
function mergeLists(lists: readonly (readonly unknown[])[]): unknown[] {
  const merged: unknown[] = [];
  const known = new Map<string, { readonly position: number; readonly page: number }>();
  for (const [page, list] of lists.entries()) {
    for (const entry of list) {
      const identity = identify(entry);
      const same = known.get(identity);
      const before = same && merged[same.position];
      if (same === undefined) known.set(identity, { position: merged.push(entry) - 1, page });
      // An entry that occurs twice on the same page isn't a repetition.
      else if (same.page === page) merged.push(entry);
      else if (isRecord(before) && isRecord(entry))
        merged[same.position] = mergeRecords([before, entry], true);
    }
  }
  return merged;
}

const identifyingField =
  /(id|uuid|name|domain|fqdn|host|address|port|slug|cidr|range|label|ip|ipv4|ipv6|key|number|vps|server)$/;

/** Returns a string that is the same whenever an entry is read, but differs between entries. */
function identify(entry: unknown): string {
  if (!isRecord(entry)) return JSON.stringify(entry) ?? '';
  const fields = Object.entries(entry).filter(
    ([field, value]) =>
      typeof value !== 'object' && value !== undefined && identifyingField.test(normalizeFieldName(field)),
  );
  return JSON.stringify(fields.length > 0 ? fields : entry);
}
