/** A cell of a table: text, a number, or nothing. */
export type Cell = string | number | null;

/** Signs by which a spreadsheet takes a cell for a formula, and those that it overlooks before one. */
const formulaLike = /^[=+\-@＝＋－＠\t\r\n]/;

/** Signs that are part of the format: a cell that has one stands in quotes. */
const special = /[",\r\n]/;

/** Writes a row of CSV as RFC 4180 has it. Text that a spreadsheet would take for a formula gets an apostrophe before it. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formulaLike.test(cell) ? `'${cell}` : cell;
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
