import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { childEnvironment } from '../child-environment.ts';
import { createSandboxSettings, startCrashableApp } from '../end-to-end/crash-process.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { blocksText, createSlackDriver, manifestPath } from '../stack.ts';

const run = promisify(execFile);
const directory = makeScratchDirectory('build');
const release = join(directory, 'release');
const read = (path: string) => readFileSync(join(release, path), 'utf8');

beforeAll(() => run(process.execPath, ['scripts/build.ts', release]));

afterAll(() => rmSync(directory, { recursive: true }));

test('a release answers commands and draws charts, with only its own packages', async () => {
  const hosting = await createHostingSandbox({ port: 0 });
  onTestFinished(() => hosting.close());
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  onTestFinished(() => slackSandbox.close());
  const slack = createSlackDriver(slackSandbox.url);
  const env = createSandboxSettings({
    slackUrl: slackSandbox.url,
    hostingUrl: hosting.url,
    databaseUrl: `sqlite:${join(directory, 'rackhand.db')}`,
  });
  const app = await startCrashableApp(env, [], join(release, 'main.js'));
  onTestFinished(() => app.kill());

  await slack.slash('graph VPS-10001 day');
  // On a busy machine, a notice comes before the chart.
  await slack.untilSeen(async () =>
    expect(blocksText(await slack.newMessage(/VPS-10001/))).toContain('"type":"image"'),
  );
  await app.stop();

  const { stdout } = await run(process.execPath, ['tools/workspaces.js', 'list'], { cwd: release, env });
  expect(stdout).toContain('T0ACME');
});

test('each tool of a release finds everything that it imports', () => {
  const { start, ...tools } = JSON.parse(read('package.json')).scripts;
  expect(start).toBe('node main.js');
  expect(Object.keys(tools)).toContain('doctor');
  for (const name of Object.keys(tools)) {
    const { stdout, stderr } = spawnSync(process.execPath, [`tools/${name}.js`], {
      cwd: release,
      encoding: 'utf8',
      env: childEnvironment,
    });
    expect(`${stdout}${stderr}`, name).toMatch(/Usage|is missing|display_information/);
  }
});

test('a release has the licenses of what is bundled, and source maps', () => {
  const licenses = read('THIRD-PARTY-LICENSES.txt');
  for (const name of ['@slack/bolt', 'echarts', 'kysely', 'undici', 'zod']) {
    expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'));
  }
  // Rackhand doesn't use them, although Bolt depends on them.
  expect(licenses).not.toMatch(/^(express|jsonwebtoken|semver) \d/m);
  expect(JSON.parse(read('main.js.map')).sources).toContainEqual(expect.stringMatching(/src\/main\.ts$/));
});
