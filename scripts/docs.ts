import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { operationsPage } from './operations-page.ts';
import { wholeCatalogue } from './whole-catalogue.ts';

const page = fileURLToPath(new URL('../docs/operations.md', import.meta.url));
await writeFile(page, operationsPage(await wholeCatalogue()));
