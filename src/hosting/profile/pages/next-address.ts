import { parseInteger } from '../values/numbers.ts';
import { findValues, isRecord, normalizeFieldName, toText } from '../values/records.ts';

/** The address of the next page, as a reply states it. */
export type NextAddress =
  /** A URL, a path or a query. */
  | { readonly kind: 'url'; readonly url: string }
  /** A value to send back. If its name doesn't contain `next`, it can also mark the end of the last page. */
  | { readonly kind: 'cursor'; readonly param: string; readonly value: string; readonly isNext: boolean }
  | { readonly kind: 'page'; readonly value: number }
  | { readonly kind: 'offset'; readonly param: string; readonly value: number };

const addressFields = ['href', 'url', 'uri', 'link'];
const valueFields = ['cursor', 'token', 'marker', 'page', 'number', 'value'];

/**
 * Reads `next` and similar fields. They contain an address, a number or a cursor, directly or in a
 * record.
 */
export function readNext(value: unknown, field: string, isOffset = false): NextAddress | undefined {
  if (isRecord(value)) {
    const address = findValues(value, addressFields).find((inner) => typeof inner === 'string');
    const inner = address ?? findValues(value, valueFields)[0];
    return isRecord(inner) ? undefined : readNext(inner, field, isOffset);
  }
  const number = parseInteger(value);
  if (number !== undefined && isOffset)
    return { kind: 'offset', param: toRequestParam(field), value: number };
  if (number !== undefined) return { kind: 'page', value: number };
  if (typeof value !== 'string' || value === '') return undefined;
  if (isAddress(value)) return { kind: 'url', url: value };
  return { kind: 'cursor', param: /page/i.test(field) ? 'page' : 'cursor', value, isNext: true };
}

/** Reads a cursor. Some services put the address of the next page into such a field. */
export function readCursor(value: unknown, field: string): NextAddress | undefined {
  const text = toText(value);
  if (text === undefined) return undefined;
  if (/^(https?:\/\/|\/.*\?|\?)/i.test(text)) return { kind: 'url', url: text };
  return { kind: 'cursor', param: toRequestParam(field), value: text, isNext: /^next/i.test(field) };
}

function isAddress(text: string): boolean {
  return (
    /^(https?:\/\/|[/?&]|\.\/)/i.test(text) || /^[^?]*\?[\w[\]-]+=/.test(text) || /^[\w[\]-]+=[^=]/.test(text)
  );
}

/**
 * Returns the query parameter that a value is sent back in: `next_cursor` becomes `cursor`,
 * `nextPageToken` becomes `pageToken`.
 */
function toRequestParam(field: string): string {
  const name = normalizeFieldName(field);
  if (name === 'endcursor' || name === 'aftercursor') return 'after';
  if (name === 'nextpagecursor') return 'cursor';
  // Services that name the field only a token or key expect its whole name back.
  if (!name.startsWith('next') || name === 'nexttoken' || name === 'nextkey') return field;
  const rest = field.replace(/^next[_-]?/i, '');
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}
