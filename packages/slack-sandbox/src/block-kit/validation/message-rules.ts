import { limits } from '../limits.ts';
import type { LocatedObject } from './located-objects.ts';
import type { Problem } from './problem.ts';

/**
 * Validates the limits that apply to all blocks of a message together, including those in its
 * attachments.
 */
export function validateMessageTotals(blocks: readonly LocatedObject[]): Problem[] {
  return [
    ...validateTables(blocks),
    ...validateCharts(blocks),
    ...validateMarkdown(blocks),
    ...validateTextTotal(blocks),
  ];
}

function validateTables(blocks: readonly LocatedObject[]): Problem[] {
  const tables = filterByType(blocks, 'table', 'data_table');
  const surplus = tables.slice(limits.table.perMessage).map(({ pointer }) => ({
    pointer,
    message: 'only_one_table_allowed',
    error: 'invalid_attachments',
  }));
  const cells = (place: LocatedObject) => countVisibleChars(place.value.rows);
  const plain = validateSum(filterByType(tables, 'table'), cells, limits.table.charsPerMessage, '/rows');
  return [
    ...surplus,
    ...plain,
    ...validateSum(filterByType(tables, 'data_table'), cells, limits.dataTable.chars, '/rows'),
  ];
}

function validateCharts(blocks: readonly LocatedObject[]): Problem[] {
  const surplus = filterByType(blocks, 'data_visualization').slice(limits.chart.perMessage);
  return surplus.map(({ pointer }) => ({ pointer, message: 'too many data_visualization blocks' }));
}

function validateMarkdown(blocks: readonly LocatedObject[]): Problem[] {
  const several = filterByType(blocks, 'markdown');
  if (several.length < 2) return [];
  return validateSum(
    several,
    ({ value }) => countVisibleChars(value),
    limits.markdown.charsPerMessage,
    '/text',
  );
}

function validateTextTotal(blocks: readonly LocatedObject[]): Problem[] {
  const total = sum(blocks.map(({ value }) => countVisibleChars(value)));
  if (total <= limits.messageBlocksChars) return [];
  return [{ pointer: '/blocks', message: 'msg_blocks_too_long', error: 'msg_blocks_too_long' }];
}

/** Reports the block with which a running sum exceeds its limit. */
function validateSum(
  places: readonly LocatedObject[],
  count: (place: LocatedObject) => number,
  max: number,
  field: string,
): Problem[] {
  let total = 0;
  const first = places.find((place) => {
    total += count(place);
    return total > max;
  });
  return first
    ? [{ pointer: first.pointer + field, message: `must be less than ${max + 1} characters` }]
    : [];
}

function filterByType(places: readonly LocatedObject[], ...types: readonly unknown[]): LocatedObject[] {
  return places.filter(({ value }) => types.includes(value.type));
}

/** Counts the visible characters, which are those of every `text` at any depth. */
function countVisibleChars(value: unknown): number {
  let total = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, inner] of Object.entries(next)) {
      if (key === 'text' && typeof inner === 'string') total += inner.length;
      else open.push(inner);
    }
  }
  return total;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
