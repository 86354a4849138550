import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderCoverage } from '../scripts/render-coverage.ts';
import { helpText } from '../src/cli/cli-options.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the tables of coverage are those of the code (npm run coverage --workspace slack-sandbox)', () => {
  expect(readme).toContain(`<!-- coverage -->\n\n${renderCoverage()}\n\n<!-- end of coverage -->`);
});

test('the README names every option of the command', () => {
  const options = [...helpText.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option ?? '');
  expect(options.length).toBeGreaterThan(5);
  expect(options.filter((option) => !readme.includes(option))).toEqual([]);
});
