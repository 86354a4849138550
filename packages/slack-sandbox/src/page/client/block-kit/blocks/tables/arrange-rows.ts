import type { Cell } from './table.tsx';

/** How a data table is sorted. If unsorted, the rows keep the app's order. */
export interface SortOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

/** A row with its original position. */
export interface Row {
  readonly index: number;
  readonly cells: readonly Cell[];
}

/** Keeps the rows that contain every typed word, and sorts them: numbers by value, text alphabetically. */
export function arrangeRows(rows: readonly Row[], typed: string, order: SortOrder | undefined): Row[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = rows.filter(({ cells }) => {
    const text = cells.map(cellText).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (!order) return kept;
  const sign = order.isDescending ? -1 : 1;
  return kept.sort(
    (a, b) => sign * compareCells(a.cells[order.column], b.cells[order.column]) || a.index - b.index,
  );
}

function compareCells(a: Cell | undefined, b: Cell | undefined): number {
  if (a?.type === 'raw_number' && b?.type === 'raw_number') return a.value - b.value;
  return cellText(a).localeCompare(cellText(b), 'en', { numeric: true, sensitivity: 'base' });
}

/** Returns a cell's text. */
export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return cell.type === 'rich_text' ? collectTexts(cell.elements).join('') : cell.text;
}

const textFields: ReadonlySet<string> = new Set(['text', 'url', 'name', 'user_id', 'channel_id', 'value']);

function collectTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (textFields.has(key) ? [inner] : []) : collectTexts(inner),
  );
}
