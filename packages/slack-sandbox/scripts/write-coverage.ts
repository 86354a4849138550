import { readFile, writeFile } from 'node:fs/promises';
import { renderCoverage } from './render-coverage.ts';

/** Writes the tables of coverage into the README, between the two comments that enclose them. */
const readme = new URL('../README.md', import.meta.url);
const text = await readFile(readme, 'utf8');
const enclosed = /(<!-- coverage -->\n)[\s\S]*(<!-- end of coverage -->)/;
if (!enclosed.test(text)) throw new Error('The README has no place for the tables');
await writeFile(
  readme,
  text.replace(enclosed, (_all, start: string, end: string) => `${start}\n${renderCoverage()}\n\n${end}`),
);
