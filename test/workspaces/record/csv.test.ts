import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRow } from '../../../src/workspaces/record/csv.ts';

/** One cell, quoted or plain, and what ends it. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

/** Reads CSV as RFC 4180 has it; throws at anything else. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length; at = cell.lastIndex) {
    cell.lastIndex = at;
    const [, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`no cell at ${at} of ${JSON.stringify(text)}`);
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new Error('it does not end with a row');
  return rows;
}

/** What a spreadsheet takes for a formula. */
const formula = /^[=+\-@＝＋－＠\t\r\n]/;

const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...'",\r\n\t=+-@\'; a＝＋é🟢') }),
  fc.constantFrom('=HYPERLINK("http://evil.example.com")', '@SUM(A1)', '-2+3', '+1', '\t=1', '\n=1', '＝1'),
);

describe('a row of CSV', () => {
  test('is read again as it was, but for the apostrophe before what looks like a formula', () => {
    const cells = fc.array(fc.oneof(nasty, fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 8 });
    const written = (value: string | number | null) =>
      typeof value === 'string' && formula.test(value) ? `'${value}` : String(value ?? '');
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 8 }), (rows) => {
        expect(readCsv(rows.map(csvRow).join(''))).toEqual(rows.map((row) => row.map(written)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('has no text cell that a spreadsheet takes for a formula', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const [[read = ''] = []] = readCsv(csvRow([text]));
        expect(read).not.toMatch(formula);
        expect(read.endsWith(text)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('leaves a negative number a number', () => {
    expect(csvRow(['a', -5, null, 'b,c', 'say "hi"'])).toBe('a,-5,,"b,c","say ""hi"""\r\n');
  });
});
