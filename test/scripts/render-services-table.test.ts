import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderServicesPage } from '../../scripts/render-services-table.ts';

test('docs/services.md shows what is read from each service: `npm run docs` writes it', () => {
  const page = readFileSync('docs/services.md', 'utf8');
  expect(page).toBe(renderServicesPage(page));
});
