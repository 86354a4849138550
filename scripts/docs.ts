import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadFullCatalogue } from './load-full-catalogue.ts';
import { renderOperationsPage } from './render-operations-page.ts';

const page = fileURLToPath(new URL('../docs/operations.md', import.meta.url));
await writeFile(page, renderOperationsPage(await loadFullCatalogue()));
