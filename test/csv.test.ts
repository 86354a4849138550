import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCsvRow } from '../src/csv.ts';
import { anyCharacter } from './arbitraries/any-character.ts';

/** One cell, quoted or plain, with its separator or line break. */
const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;

/** Parses CSV by RFC 4180; throws on anything else. */
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
  if (row.length > 0) throw new Error('the last row has no line break');
  return rows;
}

/** Text that a spreadsheet would evaluate as a formula. */
const formula = /^(?:[\s\u00a0\ufeff\u200b-\u200f\u2060]*[=+\-@＝＋－＠]|[\t\r\n])/;

const hostileText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom(...'",;\r\n\t=+-@\' a＝＋é🟢') }),
  fc.constantFrom('=HYPERLINK("http://evil.example.com")', '@SUM(A1)', '-2+3', '+1', '\t=1', '\n=1', '＝1'),
  fc.constantFrom('a;=1+1', 'a; @SUM(A1)', 'a;"=1"', 'a\n=1', 'a\t-1'),
  fc.constantFrom(' =1', '\u00a0=1', '\ufeff=1', '\u200b@SUM(A1)', ' \u200d+1', '\u2060-1', 'a=1', ' a'),
);

describe('a CSV row', () => {
  test('parses back to the same cells, with an apostrophe before formulas', () => {
    const cells = fc.array(fc.oneof(hostileText, fc.integer(), fc.constant(null)), {
      minLength: 1,
      maxLength: 8,
    });
    const plain = (value: string | number | null) => String(value ?? '').replaceAll("'", '');
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 8 }), (rows) => {
        const read = readCsv(rows.map(formatCsvRow).join(''));
        expect(read.map((row) => row.map(plain))).toEqual(rows.map((row) => row.map(plain)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('has no text cell that a spreadsheet evaluates as a formula', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const [[read = ''] = []] = readCsv(formatCsvRow([text]));
        expect(read).not.toMatch(formula);
      }),
      { numRuns: 2_000 },
    );
  });

  test('has no formula, even if the file is opened with another separator', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const row = formatCsvRow(['x', text, 'y']).slice(0, -2);
        for (const cell of row.split(/[;\t\r\n]/))
          expect(cell.replaceAll('"', '')).not.toMatch(/^[=+\-@＝＋－＠]/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps a negative number a number', () => {
    expect(formatCsvRow(['a', -5, null, 'b,c', 'say "hi"'])).toBe('a,-5,,"b,c","say ""hi"""\r\n');
  });
});
