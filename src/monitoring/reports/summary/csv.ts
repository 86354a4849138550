import { type Cell, formatCsvRow } from '../../../csv.ts';

export interface CsvFile {
  readonly fileName: string;
  readonly text: string;
}

export type CsvCell = Cell | undefined;

/**
 * Formats rows as CSV. Numbers have at most three decimals. Values that aren't numbers become empty
 * cells.
 */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => formatCsvRow(row.map(toCell))).join('');
}

function toCell(value: CsvCell): Cell {
  if (typeof value !== 'number') return value ?? null;
  return Number.isFinite(value) ? Number(value.toFixed(3)) : null;
}
