import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadFullCatalogue } from './load-full-catalogue.ts';
import { readUserTexts } from './read-user-texts.ts';
import { renderOperationsPage } from './render-operations-page.ts';
import { renderServicesPage } from './render-services-table.ts';
import { renderTextsPage, textSources } from './render-texts-page.ts';

const docs = (name: string) => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
await writeFile(docs('operations.md'), renderOperationsPage(await loadFullCatalogue()));
await writeFile(docs('texts.md'), renderTextsPage(readUserTexts(textSources)));
await writeFile(docs('services.md'), renderServicesPage(await readFile(docs('services.md'), 'utf8')));
