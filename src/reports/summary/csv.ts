/** A file of values separated by commas. */
export interface Csv {
  readonly fileName: string;
  readonly text: string;
}

export type CsvCell = string | number | undefined;

/** Writes rows as RFC 4180 has it. Foreign text never begins what a spreadsheet would take for a formula. */
export function writeCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: CsvCell): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(Number(value.toFixed(3))) : '';
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
