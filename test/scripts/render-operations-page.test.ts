import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadFullCatalogue } from '../../scripts/load-full-catalogue.ts';
import { renderOperationsPage } from '../../scripts/render-operations-page.ts';

test('docs/operations.md matches the catalogue: `npm run docs` writes it', async () => {
  expect(readFileSync('docs/operations.md', 'utf8')).toBe(renderOperationsPage(await loadFullCatalogue()));
});
