import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectLicenses } from '../packages/slack-sandbox/scripts/collect-licenses.ts';
import { bundle, programs } from './build/bundle.ts';
import { createReleaseLock, createReleaseManifest, toolNames } from './build/manifest.ts';

/** Builds a release into `dist`, or into the named folder. */

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2] ?? join(root, 'dist'));
// `npm start` never finds a half-written release.
const unfinished = `${dist}.${process.pid}`;

const writeJson = (name: string, value: unknown) =>
  writeFile(join(unfinished, name), `${JSON.stringify(value, null, 2)}\n`);

try {
  const tools = {
    'checkpoint-main': programs['checkpoint-main'],
    ...Object.fromEntries(toolNames.map((name) => [name, `scripts/${name}.ts`])),
  };
  const modules = await Promise.all([bundle(programs, unfinished), bundle(tools, join(unfinished, 'tools'))]);
  await Promise.all([
    writeFile(join(unfinished, 'THIRD-PARTY-LICENSES.txt'), await collectLicenses(modules.flat())),
    writeJson('package.json', createReleaseManifest()),
    writeJson('package-lock.json', createReleaseLock()),
    ...['LICENSE', 'manifest.yml'].map((name) => copyFile(join(root, name), join(unfinished, name))),
  ]);
  await rm(dist, { recursive: true, force: true });
  await rename(unfinished, dist);
} finally {
  await rm(unfinished, { recursive: true, force: true });
}
console.log(`Built ${dist}`);
