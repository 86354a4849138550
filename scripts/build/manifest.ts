import { readFileSync } from 'node:fs';
import { externalPackages } from './bundle.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const readJson = (url: URL) => JSON.parse(readFileSync(url, 'utf8'));
const manifest: Manifest = readJson(new URL('../../package.json', import.meta.url));
const locked: Record<string, LockedPackage> = readJson(
  new URL('../../package-lock.json', import.meta.url),
).packages;

/** Programs for operators. `npm run NAME` starts them in a checkout and in a release. */
export const toolNames = [
  'audit',
  'backup',
  'doctor',
  'forget',
  'manifest',
  'migrate-store',
  'rekey',
  'restore',
  'workspaces',
] as const;

/** Returns the `package.json` of a release. Only packages that cannot be bundled are dependencies. */
export function createReleaseManifest() {
  const { name, version, description, license, engines } = manifest;
  const nodeFlags = manifest.scripts.start?.split(' ').filter((word) => word.startsWith('--max-')) ?? [];
  const tools = toolNames.map((tool) => [tool, `node tools/${tool}.js`]);
  return {
    name,
    version,
    private: true,
    description,
    license,
    type: 'module',
    engines,
    scripts: { start: ['node', ...nodeFlags, 'main.js'].join(' '), ...Object.fromEntries(tools) },
    dependencies: Object.fromEntries(
      externalPackages.map((dependency) => [dependency, manifest.dependencies[dependency]]),
    ),
  };
}

/** Returns the `package-lock.json` of a release: the same versions as in the checkout. */
export function createReleaseLock() {
  const { name, version, license, engines, dependencies } = createReleaseManifest();
  const packages: Record<string, unknown> = { '': { name, version, license, engines, dependencies } };
  const waiting: string[] = [...externalPackages];
  for (let dependency = waiting.pop(); dependency !== undefined; dependency = waiting.pop()) {
    const entry = locked[`node_modules/${dependency}`];
    if (!entry) throw new Error(`package-lock.json does not name ${dependency}`);
    packages[`node_modules/${dependency}`] = entry;
    waiting.push(...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }));
  }
  return { name, version, lockfileVersion: 3, requires: true, packages };
}
