import { readFile } from 'node:fs/promises';

/** Reads a page's joined styles from the built package. */
export function readStyles(folder: URL): Promise<string> {
  return readFile(new URL('page.css', folder), 'utf8');
}
