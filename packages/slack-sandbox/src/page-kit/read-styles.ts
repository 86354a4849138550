import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Joins the shared base styles and the styles of a page's folder. Top-level files come first,
 * sorted by name, and then those beside components.
 */
export async function readStyles(folder: URL): Promise<string> {
  const path = fileURLToPath(folder);
  const names = (await readdir(path, { recursive: true })).filter((name) => name.endsWith('.css'));
  const depth = (name: string) => name.split('/').length;
  const ordered = names.sort((a, b) => depth(a) - depth(b) || a.localeCompare(b));
  const paths = [
    fileURLToPath(new URL('base.css', import.meta.url)),
    ...ordered.map((name) => join(path, name)),
  ];
  return (await Promise.all(paths.map((each) => readFile(each, 'utf8')))).join('\n');
}
