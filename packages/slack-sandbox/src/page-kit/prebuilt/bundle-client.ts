import { readFile } from 'node:fs/promises';

/** Reads the page's script from the built package, in which this file replaces the bundler. */
export function bundleClient(folder: URL): Promise<string> {
  return readFile(new URL('client.js', folder), 'utf8');
}
