import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operationsPage } from '../../scripts/operations-page.ts';
import { wholeCatalogue } from '../../scripts/whole-catalogue.ts';

test('docs/operations.md is what the catalogue says: `npm run docs` writes it', async () => {
  expect(readFileSync('docs/operations.md', 'utf8')).toBe(operationsPage(await wholeCatalogue()));
});
