import { type Cell, csvRow } from '../../workspaces/record/csv.ts';

/** A file of values separated by commas. */
export interface Csv {
  readonly fileName: string;
  readonly text: string;
}

export type CsvCell = Cell | undefined;

/** Writes rows under the names of their columns, figures with at most three decimals; what is no figure is left empty. */
export function writeCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => csvRow(row.map(cellOf))).join('');
}

function cellOf(value: CsvCell): Cell {
  if (typeof value !== 'number') return value ?? null;
  return Number.isFinite(value) ? Number(value.toFixed(3)) : null;
}
