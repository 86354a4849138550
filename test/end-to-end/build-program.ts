import { createHash } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, externalPackages, programs } from '../../scripts/bundle.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the program is built from. */
const sources = ['package-lock.json', 'scripts/bundle.ts', 'src/**/*'];

let program: Promise<string> | undefined;

/**
 * Returns the path of Rackhand as one file, as in a release. It starts in a third of the CPU time of
 * `src/main.ts`. It is built if the source has changed since the last build.
 */
export function buildProgram(): Promise<string> {
  program ??= build();
  return program;
}

async function build(): Promise<string> {
  const hash = createHash('sha256').update(root);
  for (const path of globSync(sources, { cwd: root }).sort()) {
    hash.update(`${path} ${statSync(join(root, path)).mtimeMs}\n`);
  }
  // Programs find the packages that aren't bundled in the `node_modules` that they are in.
  const directory = join(root, 'node_modules/.cache/rackhand-tests', hash.digest('hex'));
  const main = join(directory, 'main.js');
  if (existsSync(main)) return main;
  const unfinished = `${directory}.${process.pid}`;
  // `crash-probe.ts` changes the app's own pg.
  await bundle(programs, unfinished, [...externalPackages, 'pg']);
  await writeFile(join(unfinished, 'package.json'), '{ "type": "module" }\n');
  try {
    await rename(unfinished, directory);
  } catch (error) {
    // Another test process was faster.
    if (!existsSync(main)) throw error;
    await rm(unfinished, { recursive: true });
  }
  return main;
}
