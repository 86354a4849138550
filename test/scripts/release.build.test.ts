import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createReleaseManifest, toolNames } from '../../scripts/build/manifest.ts';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { childEnvironment } from '../child-environment.ts';
import { createSandboxSettings, startCrashableApp } from '../end-to-end/crash-process.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { blocksText, createSlackDriver, manifestPath } from '../stack.ts';

const run = promisify(execFile);
const directory = makeScratchDirectory('build');
const release = join(directory, 'release');
const read = (path: string) => readFileSync(join(release, path), 'utf8');

beforeAll(async () => {
  await run(process.execPath, ['scripts/build.ts', release]);
  // The only packages that a release installs.
  for (const name of Object.keys(createReleaseManifest().dependencies)) {
    const target = join(release, 'node_modules', name);
    mkdirSync(join(target, '..'), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules', name), target);
  }
});

afterAll(() => rmSync(directory, { recursive: true }));

test('a release answers commands, draws charts and stores its compiled code, with only its own packages', async () => {
  const hosting = await createHostingSandbox({ port: 0 });
  onTestFinished(() => hosting.close());
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  onTestFinished(() => slackSandbox.close());
  const slack = createSlackDriver(slackSandbox.url);
  const compileCache = join(directory, 'compile-cache');
  const env = {
    ...createSandboxSettings({
      slackUrl: slackSandbox.url,
      hostingUrl: hosting.url,
      databaseUrl: `sqlite:${join(directory, 'rackhand.db')}`,
    }),
    NODE_COMPILE_CACHE: compileCache,
  };
  const app = await startCrashableApp(env, [], join(release, 'main.js'));
  onTestFinished(() => app.kill());

  // It doesn't wait for its end, because a process can be killed.
  await expect
    .poll(() =>
      Math.max(0, ...globSync(join(compileCache, '*/*')).map((compiled) => statSync(compiled).size)),
    )
    .toBeGreaterThan(1_000_000);

  await slack.slash('graph VPS-10001 day');
  // On a busy machine, a notice comes before the chart.
  await slack.untilSeen(async () =>
    expect(blocksText(await slack.newMessage(/VPS-10001/))).toContain('"type":"image"'),
  );
  await app.stop();

  const { stdout } = await run(process.execPath, ['tools/workspaces.js', 'list'], { cwd: release, env });
  expect(stdout).toContain('T0ACME');
});

test.each(toolNames)('the tool %s of a release finds everything that it imports', (name) => {
  const { stdout, stderr } = spawnSync(process.execPath, [`tools/${name}.js`], {
    cwd: release,
    encoding: 'utf8',
    env: childEnvironment,
  });
  expect(`${stdout}${stderr}`).toMatch(/Usage|is missing/);
});

test('a release has the licenses of what is bundled, and source maps', () => {
  const licenses = read('THIRD-PARTY-LICENSES.txt');
  for (const name of ['@slack/bolt', 'echarts', 'kysely', 'undici', 'zod']) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
  }
  // Rackhand doesn't use them, although Bolt depends on them.
  expect(licenses).not.toMatch(/^(express|jsonwebtoken|semver) \d/m);
  expect(JSON.parse(read('start.js.map')).sources).toContainEqual(expect.stringMatching(/src\/start\.ts$/));
});

test('a release has only ASCII text, and imports no built-in module as a whole', () => {
  const files = globSync('**/*.js', { cwd: release });
  expect(files).toContain('start.js');
  for (const file of files) {
    const code = read(file);
    expect(code.match(/[^\0-\x7f]/g), file).toBeNull();
    expect(code.match(/^import .*"node:.*$/gm), file).toBeNull();
  }
});

test('a start creates no Intl object, of which the first takes longest', async () => {
  const trap = join(directory, 'trap.mjs');
  writeFileSync(
    trap,
    `for (const name of Object.getOwnPropertyNames(Intl)) {
      if (!name.endsWith('Format')) continue;
      const Original = Intl[name];
      Intl[name] = new Proxy(Original, { construct: () => { throw new Error(name + ' is created at the start'); } });
    }`,
  );
  const { stdout } = await run(process.execPath, [
    '--import',
    trap,
    '--eval',
    `import('${join(release, 'start.js')}').then(() => console.log('loaded'))`,
  ]);
  expect(stdout).toBe('loaded\n');
});

test('a release installs the versions of the checkout', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const locked = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const { '': ownPackage, ...installed } = packages;
  expect(ownPackage.dependencies).toEqual(JSON.parse(read('package.json')).dependencies);
  expect(Object.keys(installed)).toContain('node_modules/@resvg/resvg-js-linux-x64-gnu');
  for (const [path, entry] of Object.entries(installed)) expect(entry).toEqual(locked[path]);
});
