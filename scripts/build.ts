import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectLicenses } from '../packages/slack-sandbox/scripts/collect-licenses.ts';
import { bundle, programs } from './bundle.ts';

/**
 * Builds Rackhand with its tools into `dist`, or into the named folder. The folder needs only Node.js,
 * on a machine like this one: a native package is copied into it.
 */

const tools = 'audit backup doctor forget manifest migrate-store rekey restore workspaces'.split(' ');

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = resolve(process.argv[2] ?? join(root, 'dist'));

rmSync(dist, { recursive: true, force: true });
const modules = [
  ...(await bundle(programs, dist)),
  ...(await bundle(
    Object.fromEntries(tools.map((name) => [name, `scripts/${name}.ts`])),
    join(dist, 'tools'),
  )),
];
for (const path of [
  'LICENSE',
  'manifest.yml',
  'node_modules/@resvg',
  'node_modules/@expo-google-fonts/inter',
]) {
  cpSync(join(root, path), join(dist, path), { recursive: true });
}
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), await collectLicenses(modules));
const { name, version, license, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scripts = {
  start: 'node main.js',
  ...Object.fromEntries(tools.map((tool) => [tool, `node tools/${tool}.js`])),
};
writeFileSync(
  join(dist, 'package.json'),
  `${JSON.stringify({ name, version, private: true, license, type: 'module', engines, scripts }, null, 2)}\n`,
);
console.log(`Built ${dist}`);
