import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createSlackSandbox } from 'slack-sandbox';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createHostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { childEnvironment } from '../child-environment.ts';
import { createSandboxSettings, startCrashableApp } from '../end-to-end/crash-process.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { blocksText, createSlackDriver, manifestPath } from '../stack.ts';

const run = promisify(execFile);
const directory = makeScratchDirectory('build');
const clone = join(directory, 'clone');
const image = join(directory, 'image');
const release = join(image, 'dist');
const read = (path: string) => readFileSync(join(release, path), 'utf8');

/** Copies the files of a fresh clone, with what has changed since the last commit. */
function makeClone(): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  });
  for (const path of listed.split('\0').filter((one) => one !== '' && existsSync(one)))
    cpSync(path, join(clone, path));
}

/**
 * Runs the steps of the Dockerfile's first stage on this machine, with a fresh clone as the context. The packages
 * aren't installed again: npm only checks that it can, and the build uses those of this clone.
 */
async function runBuildStage(): Promise<void> {
  const [, stage = ''] = readFileSync('Dockerfile', 'utf8').split(/^FROM .*$/m);
  const steps = stage.trim().split('\n');
  mkdirSync(image);
  for (const step of steps) {
    const [instruction, ...words] = step.split(' ');
    if (instruction === 'COPY') {
      const target = join(image, words.pop() ?? '');
      // A folder's content is copied, and a file into the target.
      for (const path of words) {
        const isFolder = statSync(join(clone, path)).isDirectory();
        cpSync(join(clone, path), isFolder ? target : join(target, basename(path)), { recursive: true });
      }
    } else if (instruction === 'RUN') {
      const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
      const env = { ...process.env, PATH, npm_config_dry_run: 'true', npm_config_audit: 'false' };
      await run('sh', ['-c', words.join(' ')], { cwd: image, env });
      if (words[0] === 'npm') symlinkSync(resolve('node_modules'), join(image, 'node_modules'));
    } else {
      expect(step).toBe('WORKDIR /rackhand');
    }
  }
}

beforeAll(async () => {
  makeClone();
  await runBuildStage();
  // What runs finds only the packages of the release.
  rmSync(join(image, 'node_modules'));
});

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
  const app = await startCrashableApp(env, join(release, 'main.js'));
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
