import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Joins the page's styles: those of this folder by name, then those that stand beside components. */
export async function readStyles(): Promise<string> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.css'));
  const depth = (path: string) => path.split('/').length;
  const ordered = paths.sort((a, b) => depth(a) - depth(b) || a.localeCompare(b));
  const styles = await Promise.all(ordered.map((path) => readFile(join(folder, path), 'utf8')));
  return styles.join('\n');
}
