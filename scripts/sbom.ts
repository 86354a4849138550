import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Prints a bill of materials (CycloneDX) of the packages that run in production. */

const readJson = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));

/**
 * npm leaves packages out that a workspace needs for its development, also if production needs them.
 * It therefore gets the root package alone.
 */
function withoutWorkspaces<Manifest extends object>(manifest: Manifest) {
  return { ...manifest, workspaces: undefined, devDependencies: undefined };
}

const lock = readJson('package-lock.json');
const installed = Object.entries<object>(lock.packages).filter(
  ([path, entry]) => path.startsWith('node_modules/') && !('link' in entry || 'dev' in entry),
);
const packages = { '': withoutWorkspaces(lock.packages['']), ...Object.fromEntries(installed) };

const scratch = mkdtempSync(join(tmpdir(), 'sbom-'));
try {
  // npm names the application after its folder.
  const folder = join(scratch, lock.name);
  mkdirSync(folder);
  const writeJson = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  writeJson('package.json', withoutWorkspaces(readJson('package.json')));
  writeJson('package-lock.json', { ...lock, packages });
  const options = [
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--package-lock-only',
    '--omit',
    'dev',
  ];
  const { status } = spawnSync('npm', ['sbom', ...options], { cwd: folder, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
