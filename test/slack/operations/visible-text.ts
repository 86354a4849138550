import { z } from 'zod';

const record = z.record(z.string(), z.unknown());

/**
 * Returns the text of blocks as people read it, with a line for each block, row or line of text.
 * IDs and the values of buttons aren't included.
 */
export function visibleText(blocks: unknown): string {
  return visibleLines(blocks).join('\n');
}

const textFields = ['title', 'label', 'hint', 'text', 'description', 'alt_text', 'fallback', 'placeholder'];
const nestedFields = ['fields', 'elements', 'accessory', 'element', 'options', 'rows', 'initial_option'];

/** Slack stores plain text with entities, and shows it without. */
function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function visibleLines(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(visibleLines);
  const parsed = record.safeParse(value);
  if (!parsed.success) return [];
  const { data } = parsed;
  if (data.type === 'plain_text' && typeof data.text === 'string') return [decodeEntities(data.text)];
  if (data.type === 'rich_text_section' && Array.isArray(data.elements)) {
    return [data.elements.flatMap(visibleLines).join('')];
  }
  if ((data.type === 'table' || data.type === 'data_table') && Array.isArray(data.rows)) {
    return data.rows.map((row) => (Array.isArray(row) ? row.flatMap(visibleLines).join(' | ') : ''));
  }
  return [...textFields, ...nestedFields].flatMap((field) =>
    field in data ? visibleLines(data[field]) : [],
  );
}
