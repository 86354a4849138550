/** A cell of a CSV row: text, a number, or empty. */
export type Cell = string | number | null;

/**
 * Matches cells that a spreadsheet could evaluate as a formula. Some spreadsheets skip whitespace
 * and invisible characters at the start.
 */
const formulaPattern = /^(?:[\s\p{Cf}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** Characters with a special meaning in CSV. A cell that contains such a character is quoted. */
const quotedPattern = /[",\r\n]/;

/** Formats a row by RFC 4180, including its line break. Formulas get a leading apostrophe. */
export function formatCsvRow(cells: readonly Cell[]): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`;
}

function formatCsvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = formulaPattern.test(cell) ? `'${cell}` : cell;
  return quotedPattern.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
