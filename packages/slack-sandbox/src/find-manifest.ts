import { existsSync } from 'node:fs';

/** Names of the manifest that are tried in the current folder. */
export const manifestNames: readonly string[] = ['manifest.yml', 'manifest.yaml', 'manifest.json'];

/** Returns the name of the manifest in the current folder, if there is one. */
export function findManifest(): string | undefined {
  return manifestNames.find((name) => existsSync(name));
}
