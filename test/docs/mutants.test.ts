import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/mutants.md', 'utf8');
const acceptedRows = page
  .slice(page.indexOf('## Survivors that are accepted'))
  .split('\n')
  .filter((line) => line.startsWith('| `'));

/** Operators are named without the code around them. */
const operators = new Set(['<', '<=', '>', '>=', '&&', '||']);

function listQuotes(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, quote = '']) => quote.replaceAll('\\|', '|'));
}

test('every file on the page of mutants exists', () => {
  const paths = listQuotes(page).filter((quote) => /^(src|test)\//.test(quote));
  expect(paths.length).toBeGreaterThan(50);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test.each(acceptedRows)('the code of an accepted mutant is still there: %s', (row) => {
  const [, files = '', change = ''] = row.split(/(?<!\\)\|/);
  const code = listQuotes(files)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll(/\s+/g, ' ');
  const quoted = listQuotes(change)
    .filter((quote) => !operators.has(quote) && quote !== 'return undefined')
    .flatMap((quote) => quote.split('…'))
    .map((part) => part.trim());
  expect(quoted.filter((part) => !code.includes(part))).toEqual([]);
});
