// Plain JavaScript, because stripping types would cost memory for as long as Rackhand runs.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What a release is built from. A folder changes too when a file in it is added or deleted. */
const sources = ['src', 'scripts', 'package.json', 'package-lock.json', 'manifest.yml'];

/**
 * @param {string} path
 * @returns {number} When the file, or the newest file of the folder, changed.
 */
function changedMs(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedMs(join(path, name))));
}

function isBuilt() {
  const built = join(root, 'dist', 'main.js');
  if (!existsSync(built)) return false;
  return Math.max(...sources.map((name) => changedMs(join(root, name)))) < statSync(built).mtimeMs;
}

/** @returns {boolean} Whether the bundler is installed. `npm ci --omit=dev` leaves it out. */
function canBuild() {
  try {
    createRequire(import.meta.url).resolve('rolldown');
    return true;
  } catch {
    return false;
  }
}

/** @returns {string} The program to run: the release, or the source if no release can be built. */
function findProgram() {
  if (isBuilt()) return '../dist/main.js';
  if (!canBuild()) return '../src/main.ts';
  try {
    execFileSync(process.execPath, [join(root, 'scripts/build.ts')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return '../dist/main.js';
  } catch {
    process.stderr.write("The release couldn't be built, so Rackhand runs from src/.\n");
    return '../src/main.ts';
  }
}

await import(findProgram());
