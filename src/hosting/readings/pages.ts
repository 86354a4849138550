import { numberOf } from './numbers.ts';
import { bare, isRecord } from './records.ts';

const nextPage = /^(next|next(page|cursor|token|link|url|pageurl)|has(more|next))$/;
const pageCount = /^(pages|totalpages|lastpage)$/;
const totalCount = /^total(count|items|records|vps|snapshots|vlans)?$/;

const mostDepth = 3;

/** Tells whether a payload with a list of `count` hints at further pages. What stands inside the list itself is not looked at. */
export function hintsAtMorePages(data: unknown, count: number, depth = mostDepth, place = 'page'): boolean {
  if (!isRecord(data) || depth === 0) return false;
  const countsTheList = /meta|pag/i.test(place) || Object.values(data).some(Array.isArray);
  return Object.entries(data).some(([field, value]) => {
    const name = bare(field);
    if (nextPage.test(name)) return Boolean(value);
    if (pageCount.test(name)) return (numberOf(value) ?? 0) > 1;
    if (totalCount.test(name)) return countsTheList && (numberOf(value) ?? 0) > count;
    return hintsAtMorePages(value, count, depth - 1, field);
  });
}
