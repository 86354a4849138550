import { limits } from './limits.ts';
import type { Place } from './places.ts';
import type { Problem } from './problem.ts';

/** Checks what counts for all blocks of a message together, those in its attachments included. */
export function checkTotals(blocks: readonly Place[]): Problem[] {
  return [...checkTables(blocks), ...checkCharts(blocks), ...checkMarkdown(blocks), ...checkText(blocks)];
}

function checkTables(blocks: readonly Place[]): Problem[] {
  const tables = ofType(blocks, 'table', 'data_table');
  const surplus = tables.slice(limits.table.perMessage).map(({ pointer }) => ({
    pointer,
    message: 'only_one_table_allowed',
    error: 'invalid_attachments',
  }));
  const cells = (place: Place) => shownChars(place.value.rows);
  const plain = checkSum(ofType(tables, 'table'), cells, limits.table.charsPerMessage, '/rows');
  return [
    ...surplus,
    ...plain,
    ...checkSum(ofType(tables, 'data_table'), cells, limits.dataTable.chars, '/rows'),
  ];
}

function checkCharts(blocks: readonly Place[]): Problem[] {
  const surplus = ofType(blocks, 'data_visualization').slice(limits.chart.perMessage);
  return surplus.map(({ pointer }) => ({ pointer, message: 'too many data_visualization blocks' }));
}

function checkMarkdown(blocks: readonly Place[]): Problem[] {
  const several = ofType(blocks, 'markdown');
  if (several.length < 2) return [];
  return checkSum(several, ({ value }) => shownChars(value), limits.markdown.charsPerMessage, '/text');
}

function checkText(blocks: readonly Place[]): Problem[] {
  const total = sum(blocks.map(({ value }) => shownChars(value)));
  if (total <= limits.messageBlocksChars) return [];
  return [{ pointer: '/blocks', message: 'msg_blocks_too_long', error: 'msg_blocks_too_long' }];
}

/** Refuses the block with which a sum passes its limit. */
function checkSum(
  places: readonly Place[],
  count: (place: Place) => number,
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

function ofType(places: readonly Place[], ...types: readonly unknown[]): Place[] {
  return places.filter(({ value }) => types.includes(value.type));
}

/** Counts the characters that are shown: every `text` inside, at any depth. */
function shownChars(value: unknown): number {
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
