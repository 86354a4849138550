import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { allOperations } from '../src/operations/all.ts';
import { operationsPage } from './operations-page.ts';

const page = fileURLToPath(new URL('../docs/operations.md', import.meta.url));
await writeFile(page, operationsPage(allOperations()));
