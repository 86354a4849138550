import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, programs } from '../scripts/bundle.ts';

/** Rackhand with the settings of a bench. */
const apps = {
  'rackhand-app': 'bench/rackhand-app.ts',
  'socket-app': 'bench/peers/rackhand.ts',
  'workspaces-app': 'bench/workspaces-app.ts',
};

// Programs find the packages that aren't bundled in the `node_modules` that they are in.
const directory = fileURLToPath(new URL('../node_modules/.cache/rackhand-bench', import.meta.url));

let bundled: Promise<unknown> | undefined;

/** Bundles the apps as a release is bundled, once per process. Returns the path of one of them. */
export async function bundleApp(name: keyof typeof apps): Promise<string> {
  bundled ??= bundle({ ...programs, ...apps }, directory);
  await bundled;
  return join(directory, `${name}.js`);
}
