export type Cell = string | number | null;

/**
 * Matches where a spreadsheet could see a formula: at the start of a cell, and after `;`, a tab or a line
 * break, which separate cells in some countries. Some spreadsheets skip whitespace, quotes and invisible
 * characters there.
 */
const formulaStart = /(?<=^|[;\t\r\n])(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu;

/** Characters with a special meaning in CSV. A cell with any of them is quoted. */
const quotedPattern = /[",\r\n]/;

/** Formats a row according to RFC 4180, including its line break. Formulas get a leading apostrophe. */
export function formatCsvRow(cells: readonly Cell[]): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`;
}

function formatCsvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = cell.replace(formulaStart, "'");
  return quotedPattern.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
