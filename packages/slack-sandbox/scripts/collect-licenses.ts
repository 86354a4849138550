import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Joins the licences of the packages whose code is part of the built files. */
export async function collectLicenses(moduleIds: readonly string[]): Promise<string> {
  const folders = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  // These are part of the page's script.
  const nearby = folders[0]?.replace(/\/node_modules\/.*/, '/node_modules');
  const ofPage = nearby
    ? ['react', 'react-dom', 'scheduler', 'marked'].map((name) => join(nearby, name))
    : [];
  const texts = [...new Set([...folders, ...ofPage])].sort().map(async (folder) => {
    const facts: { name: string; version: string } = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    );
    const file = (await readdir(folder)).find((name) => /^licen[sc]e/i.test(name));
    if (!file) throw new Error(`${facts.name} has no licence file`);
    return `${facts.name} ${facts.version}\n\n${(await readFile(join(folder, file), 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).join('\n----\n\n');
}
