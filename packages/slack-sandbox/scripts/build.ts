import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type OutputBundle, type OutputChunk } from 'rolldown';
import { bundleClient } from '../src/page-kit/bundle-client.ts';
import { readStyles } from '../src/page-kit/read-styles.ts';
import { collectLicenses } from './collect-licenses.ts';
import { type BuildEntry, createPublishedManifest, entries } from './published-manifest.ts';

/**
 * Builds the package that is published into `dist`, or into the named folder. It has its own
 * `package.json` and no dependencies.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));

/** Modules that the built package replaces by ones that read what was built. */
const replacements: ReadonlyMap<string, string> = new Map(
  ['bundle-client.ts', 'emoji-font-file.ts', 'read-styles.ts'].map((name) => [
    join(source, 'page-kit', name),
    join(source, 'page-kit', 'prebuilt', name),
  ]),
);

const replaceByPrebuilt = {
  name: 'replace-by-prebuilt',
  resolveId(id: string, importer: string | undefined) {
    return importer && id.startsWith('.') ? replacements.get(join(dirname(importer), id)) : undefined;
  },
};

/** With a character that isn't Latin-1, V8 keeps the whole source with two bytes for each character. */
const escapeCharacters = {
  name: 'escape-characters',
  generateBundle(_options: unknown, bundle: OutputBundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, toEscape);
    }
  },
};

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

async function bundle(format: 'esm' | 'cjs', bundled: readonly BuildEntry[]): Promise<OutputChunk[]> {
  const extension = format === 'esm' ? 'js' : 'cjs';
  const { output } = await build({
    input: Object.fromEntries(bundled.map(({ name, file }) => [name, join(root, file)])),
    platform: 'node',
    logLevel: 'warn',
    transform: { target: 'node20' },
    plugins: [replaceByPrebuilt, escapeCharacters],
    output: {
      dir: dist,
      format,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `chunk-[name].${extension}`,
    },
  });
  return output.filter((file) => file.type === 'chunk');
}

/** Writes the script and styles of the pages beside the code that serves them. */
async function writePages(): Promise<void> {
  for (const name of ['page', 'oauth']) {
    const folder = pathToFileURL(join(source, name, '/'));
    await mkdir(join(dist, name), { recursive: true });
    await writeFile(join(dist, name, 'page.css'), await readStyles(folder));
    if (name === 'page') await writeFile(join(dist, name, 'client.js'), await bundleClient(folder));
  }
}

/**
 * Writes the type declarations that the entries reach, for `import` and for `require`. They refer to no other
 * package. Those of an entry are beside its code, where older versions of TypeScript look for them.
 */
async function writeTypes(): Promise<void> {
  const emitted = join(dist, '.types');
  execFileSync('tsc', ['-p', join(root, 'tsconfig.build.json'), '--outDir', emitted], { stdio: 'inherit' });
  const waiting = entries.flatMap(({ types }) => (types ? [join(emitted, types)] : []));
  const reached = new Set<string>();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const text = await readFile(path, 'utf8');
    for (const [, name = ''] of text.matchAll(/(?:from|import\() ?['"]([^'"]+)['"]/g)) {
      if (!name.startsWith('.')) throw new Error(`${path} refers to ${name}, which is not installed with it`);
      waiting.push(join(dirname(path), name.replace(/\.ts$/, '.d.ts')));
    }
    const target = join(dist, 'types', relative(emitted, path));
    await mkdir(dirname(target), { recursive: true });
    for (const [from, to] of moduleKinds) {
      const declarations = text.replaceAll(/(['"]\.[^'"]+)\.ts(['"])/g, `$1.${to}$2`);
      await writeFile(target.replace(/\.ts$/, `.${from}`), declarations);
    }
  }
  for (const { name, types, isCommonJsToo } of entries) {
    for (const [from, to] of types ? moduleKinds.slice(0, isCommonJsToo ? 2 : 1) : []) {
      const module = types?.replace(/\.d\.ts$/, `.${to}`);
      await writeFile(join(dist, `${name}.d.${from}`), `export * from './types/${module}';\n`);
    }
  }
  await rm(emitted, { recursive: true });
}

/** The extension of declarations after `.d`, and that of the code to which they refer. */
const moduleKinds = [
  ['ts', 'js'],
  ['cts', 'cjs'],
] as const;

/** Returns the path of a file of the package. */
function findPackage(name: string): string {
  return fileURLToPath(import.meta.resolve(`${name}/package.json`));
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
const chunks = await bundle('esm', entries);
await bundle(
  'cjs',
  entries.filter(({ isCommonJsToo }) => isCommonJsToo),
);
await chmod(join(dist, 'cli.js'), 0o755);
await writePages();
await writeTypes();
// These packages are part of the page's script, which is bundled by itself.
const ofPage = ['react', 'react-dom', 'scheduler', 'marked'].map((name) => findPackage(name));
const modules = [...chunks.flatMap(({ moduleIds }) => moduleIds), ...ofPage];
await writeFile(join(dist, 'THIRD-PARTY-LICENSES.txt'), await collectLicenses(modules));
await writeFile(join(dist, 'package.json'), await createPublishedManifest(join(root, 'package.json')));
// The picture is part of the repository, and not of the package.
const readme = await readFile(join(root, 'README.md'), 'utf8');
await writeFile(join(dist, 'README.md'), readme.replace(/^!\[.*\]\(\.\.\/.*\)\n\n/m, ''));
await copyFile(join(root, 'CHANGELOG.md'), join(dist, 'CHANGELOG.md'));
await copyFile(join(root, '../../LICENSE'), join(dist, 'LICENSE'));
console.log(`Built ${dist}. Pack it with: npm pack ${dist}`);
