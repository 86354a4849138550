import type { Cell } from './table.tsx';

/** How the rows of a data table are ordered; rows keep the app's order without. */
export interface Order {
  readonly column: number;
  readonly isDescending: boolean;
}

/** A row, and where the app put it. */
export interface Row {
  readonly index: number;
  readonly cells: readonly Cell[];
}

/** Keeps the rows in which every typed word occurs, and orders them: numbers by value, text as people do. */
export function arranged(rows: readonly Row[], typed: string, order: Order | undefined): Row[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = rows.filter(({ cells }) => {
    const text = cells.map(textOf).join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (!order) return kept;
  const sign = order.isDescending ? -1 : 1;
  return kept.sort(
    (a, b) => sign * compare(a.cells[order.column], b.cells[order.column]) || a.index - b.index,
  );
}

function compare(a: Cell | undefined, b: Cell | undefined): number {
  if (a?.type === 'raw_number' && b?.type === 'raw_number') return a.value - b.value;
  return textOf(a).localeCompare(textOf(b), 'en', { numeric: true, sensitivity: 'base' });
}

/** The text of a cell. */
export function textOf(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return cell.type === 'rich_text' ? textsIn(cell.elements).join('') : cell.text;
}

const textFields: ReadonlySet<string> = new Set(['text', 'url', 'name', 'user_id', 'channel_id', 'value']);

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (textFields.has(key) ? [inner] : []) : textsIn(inner),
  );
}
