import { readdir, readFile } from 'node:fs/promises';

/** Joins the licenses and notices of the packages whose code is part of the built files. */
export async function collectLicenses(moduleIds: readonly string[]): Promise<string> {
  const folders = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  const texts = await Promise.all([...new Set(folders)].sort().map(readPackageTexts));
  return texts.join('\n----\n\n');
}

async function readPackageTexts(folder: string): Promise<string> {
  const facts: { name: string; version: string; license?: string } = JSON.parse(
    await readFile(`${folder}/package.json`, 'utf8'),
  );
  const texts = await readTexts(folder, /^(licen[sc]es?|notice)/i);
  if (texts.length === 0 && !facts.license) throw new Error(`${facts.name} has no license`);
  const declared = texts.length === 0 ? [`License: ${facts.license}`] : texts;
  return `${facts.name} ${facts.version}\n\n${declared.map((text) => `${text.trim()}\n`).join('\n')}`;
}

/** Reads the files whose names match, and all files of folders whose names match. */
async function readTexts(folder: string, names: RegExp): Promise<readonly string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => names.test(name));
  const texts = entries.map(async (entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? await readTexts(path, /./) : [await readFile(path, 'utf8')];
  });
  return (await Promise.all(texts)).flat();
}
