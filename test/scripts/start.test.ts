import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeScratchDirectory } from '../scratch-directory.ts';

let checkout: string;

/** A build that only writes a program and counts its runs. */
const build = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  const dist = new URL('../dist/', import.meta.url);
  mkdirSync(dist, { recursive: true });
  writeFileSync(new URL('main.js', dist), 'console.log("release of", ' + Date.now() + ')');
`;

beforeEach(() => {
  checkout = makeScratchDirectory('start');
  for (const folder of ['src', 'scripts']) mkdirSync(join(checkout, folder));
  for (const name of ['package-lock.json', 'manifest.yml']) write(name, '');
  write('package.json', '{"type":"module"}');
  write('src/main.ts', 'console.log("source");');
  write('scripts/build.ts', build);
  copyFileSync('scripts/start.mjs', join(checkout, 'scripts/start.mjs'));
  symlinkSync(join(process.cwd(), 'node_modules'), join(checkout, 'node_modules'));
  for (const name of ['src', 'scripts', 'src/main.ts', 'scripts/start.mjs']) makeOlder(name);
});

afterEach(() => rmSync(checkout, { recursive: true }));

const write = (name: string, text: string) => {
  writeFileSync(join(checkout, name), text);
  makeOlder(name);
};

/** As in a real checkout, where files are older than what is built from them. */
const makeOlder = (name: string) => utimesSync(join(checkout, name), 1, 1);

const start = () => spawnSync(process.execPath, [join(checkout, 'scripts/start.mjs')], { encoding: 'utf8' });

test('builds a release at the first start, and again only after a change', () => {
  const first = start().stdout;
  expect(first).toMatch(/^release of \d+\n$/);
  expect(start().stdout).toBe(first);
  writeFileSync(join(checkout, 'src/added.ts'), '');
  const second = start().stdout;
  expect(second).toMatch(/^release of \d+\n$/);
  expect(second).not.toBe(first);
  rmSync(join(checkout, 'src/added.ts'));
  expect(start().stdout).not.toBe(second);
});

test('runs the source where the bundler is not installed', () => {
  rmSync(join(checkout, 'node_modules'));
  expect(start().stdout).toBe('source\n');
});

test('says that the release could not be built, and runs the source', () => {
  write('scripts/build.ts', 'process.exit(1)');
  const { stdout, stderr } = start();
  expect(stdout).toBe('source\n');
  expect(stderr).toContain("The release couldn't be built, so Rackhand runs from src/.");
});
