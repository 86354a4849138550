import { z } from 'zod';

const record = z.record(z.string(), z.unknown());

/** Gives the words of blocks as people read them: a line for each block, row or line of a text; without ids and values of buttons. */
export function wordsOf(blocks: unknown): string {
  return linesOf(blocks).join('\n');
}

const shown = ['title', 'label', 'hint', 'text', 'description', 'alt_text', 'fallback', 'placeholder'];
const nested = ['fields', 'elements', 'accessory', 'element', 'options', 'rows', 'initial_option'];

function linesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(linesOf);
  const parsed = record.safeParse(value);
  if (!parsed.success) return [];
  const { data } = parsed;
  if (data.type === 'rich_text_section' && Array.isArray(data.elements)) {
    return [data.elements.flatMap(linesOf).join('')];
  }
  if (data.type === 'table' && Array.isArray(data.rows)) {
    return data.rows.map((row) => (Array.isArray(row) ? row.flatMap(linesOf).join(' | ') : ''));
  }
  return [...shown, ...nested].flatMap((field) => (field in data ? linesOf(data[field]) : []));
}
