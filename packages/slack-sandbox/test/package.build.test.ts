import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { fullManifest } from './harness.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Node.js programs that have to run the package. The variable adds older versions to this one. */
const nodes = [process.execPath, ...(process.env.SLACK_SANDBOX_TEST_NODES ?? '').split(':')].filter(Boolean);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slack-sandbox-package-'));
  const dist = join(folder, 'dist');
  await run(process.execPath, [join(root, 'scripts/build.ts'), dist]);
  const packed = await run('npm', ['pack', dist, '--json', '--pack-destination', folder], { cwd: folder });
  const [{ filename }] = JSON.parse(packed.stdout);
  await rm(dist, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(fullManifest));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], {
    cwd: folder,
  });
  // It builds the pages and installs the package, which takes minutes on a busy machine.
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the installed command. Returns the URL that it prints, and what it has printed. */
function startCommand(
  node: string,
  args: readonly string[],
  cwd = folder,
): Promise<{ url: string; output: () => string }> {
  const command = join(folder, 'node_modules/.bin/slack-sandbox');
  const child = spawn(node, [command, ...args], { cwd });
  onTestFinished(() => void child.kill());
  return new Promise((resolve, reject) => {
    let output = '';
    const collect = (part: Buffer) => {
      output += part;
      const url = /Slack workspace +(http\S+)/.exec(output)?.[1];
      if (url && output.includes('Stop the sandbox')) resolve({ url, output: () => output });
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('exit', () => reject(new Error(output)));
  });
}

test('the package says who publishes it, has its changelog, and is small without the emoji font', async () => {
  const at = join(folder, 'node_modules/slack-sandbox');
  const { stdout } = await run(
    process.execPath,
    ['-p', "JSON.stringify(require('slack-sandbox/package.json'))"],
    { cwd: folder },
  );
  expect(JSON.parse(stdout)).toMatchObject({
    repository: { directory: 'packages/slack-sandbox' },
    homepage: expect.any(String),
    bugs: expect.any(String),
    author: expect.any(String),
  });
  const readme = await readFile(join(at, 'README.md'), 'utf8');
  expect(readme).toContain('not affiliated with Slack');
  // Neither files nor commands of the repository.
  expect(readme).not.toMatch(/\]\(\.\.\/|npm run |--workspace/);
  expect(await readFile(join(at, 'CHANGELOG.md'), 'utf8')).toContain('# Changelog');
  const entries = await readdir(at, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_500_000);
});

test.each(nodes)('%s starts the installed package, whose page is built', async (node) => {
  const { url } = await startCommand(node, ['--port', '0']);
  expect(await (await fetch(`${url}/api/api.test`)).json()).toMatchObject({ ok: true });
  expect(await (await fetch(`${url}/`)).text()).toContain('<title>Slack sandbox</title>');
  expect((await (await fetch(`${url}/page/client.js`)).text()).length).toBeGreaterThan(100_000);
  expect(await (await fetch(`${url}/page/page.css`)).text()).toContain('box-sizing');
  expect(await (await fetch(`${url}/oauth/v2/page.css`)).text()).toContain('box-sizing');
});

test.each(nodes)('%s loads the package by import and by require', async (node) => {
  const start =
    "createSlackSandbox({port: 0, manifest: 'manifest.json'}).then(async (s) => { await fetch(s.url + '/page/client.js'); console.log('up'); await s.close(); })";
  await writeFile(join(folder, 'a.mjs'), `import { createSlackSandbox } from 'slack-sandbox';\n${start};`);
  await writeFile(
    join(folder, 'b.cjs'),
    `const { createSlackSandbox } = require('slack-sandbox');\n${start};`,
  );
  for (const file of ['a.mjs', 'b.cjs']) {
    expect((await run(node, [file], { cwd: folder })).stdout).toBe('up\n');
  }
});

test.each(nodes)(
  '%s runs the test kit under node:test, and ends although the test forgets to close',
  async (node) => {
    const source = `const { test } = require('node:test');
const { startSlack } = require('slack-sandbox/test');
test('says hello', async () => {
  const slack = await startSlack({ manifest: 'manifest.json' });
  await slack.say('hello');
  await slack.waitForMessage('hello');
});
`;
    await writeFile(join(folder, 'kit.test.cjs'), source);
    const { stdout } = await run(node, ['--test', '--test-reporter=tap', 'kit.test.cjs'], { cwd: folder });
    expect(stdout).toContain('# pass 1');
  },
);

const typed = `const use = async () => {
  const slack = await startSlack();
  (await slack.waitForMessage('hello')).text satisfies string;
  // @ts-expect-error: there is no such method
  slack.shout('hello');
  const sandbox: SlackSandbox = await createSlackSandbox({ port: 0, manifest: {} });
  // @ts-expect-error: the port is a number
  sandbox.port satisfies string;
};
void use;
`;

test.each(['mts', 'cts'])(
  'its types are complete without any other package, in a .%s file',
  async (extension) => {
    const file = join(folder, `app.${extension}`);
    await writeFile(
      file,
      `import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { startSlack } from 'slack-sandbox/test';
import 'slack-sandbox/register';
${typed}`,
    );
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'node20', '--types', ''];
    const tsc = join(root, '../../node_modules/.bin/tsc');
    const checked = await run(tsc, [...options, file], { cwd: folder }).catch((error) => error);
    expect(checked.stdout).toBe('');
  },
);

/** Slack's getting-started app for Bolt, and a test of it. */
const gettingStarted = `
const app = new App({ token: process.env.SLACK_BOT_TOKEN, appToken: process.env.SLACK_APP_TOKEN, socketMode: true });
app.message('hello', async ({ message, say }) => {
  if (!('user' in message)) return;
  await say({
    blocks: [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: \`Hey there <@\${message.user}>!\` },
        accessory: { type: 'button', text: { type: 'plain_text', text: 'Click Me' }, action_id: 'button_click' },
      },
    ],
    text: \`Hey there <@\${message.user}>!\`,
  });
});
app.action<BlockAction>('button_click', async ({ body, ack, say }) => {
  await ack();
  await say(\`<@\${body.user.id}> clicked the button\`);
});
void app.start();
`;

test.each([
  ['esm', 'module'],
  ['cjs', 'commonjs'],
])("a TypeScript project (%s) compiles Slack's getting-started app and tests it", async (name, type) => {
  const project = join(folder, name);
  for (const name of ['src', 'node_modules']) await mkdir(join(project, name), { recursive: true });
  for (const installed of ['@slack', '@types']) {
    await symlink(join(root, '../../node_modules', installed), join(project, 'node_modules', installed));
  }
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type }));
  await writeFile(
    join(project, 'src/app.ts'),
    `import { App, type BlockAction } from '@slack/bolt';\n${gettingStarted}`,
  );
  await writeFile(
    join(project, 'src/app.test.ts'),
    `import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { startSlack } from 'slack-sandbox/test';

test('greets people, and says who clicked', async () => {
  const slack = await startSlack({ timeoutMs: 30_000 });
  const args = ['--import', 'slack-sandbox/register', 'dist/app.js'];
  const app = spawn(process.execPath, args, { env: { ...process.env, SLACK_SANDBOX_URL: slack.url }, stdio: 'inherit' });
  await slack.waitForApp();
  await slack.say('hello');
  await slack.click(await slack.waitForMessage('Hey there <@U0ALICE>!'), 'Click Me', { user: 'bob' });
  await slack.waitForMessage('<@U0BOB> clicked the button');
  app.kill();
  await slack.close();
});
`,
  );
  const tsc = join(root, '../../node_modules/.bin/tsc');
  const options = [
    '--outDir',
    'dist',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'node20',
    '--skipLibCheck',
  ];
  const compiled = await run(tsc, [...options, '--types', 'node', 'src/app.ts', 'src/app.test.ts'], {
    cwd: project,
  }).catch((error) => error);
  expect(compiled.stdout).toBe('');
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'dist/app.test.js'], {
    cwd: project,
  }).catch((error) => error);
  expect(stdout).toContain('# pass 1');
});

test('the command starts without a manifest, and says how to run an app, which then is a bot of the sandbox', async () => {
  const elsewhere = await mkdtemp(join(folder, 'without-manifest-'));
  const { url, output } = await startCommand(process.execPath, ['--port', '0'], elsewhere);
  const [, setting] =
    /(SLACK_SANDBOX_URL=\S+) node --import slack-sandbox\/register app\.js/.exec(output()) ?? [];
  expect(setting).toBe(`SLACK_SANDBOX_URL=${url}`);
  const source =
    "fetch('https://slack.com/api/auth.test', { method: 'POST', headers: { authorization: 'Bearer ' + process.env.SLACK_BOT_TOKEN } }).then((r) => r.json()).then((a) => console.log(a.user))";
  const env = { ...process.env, SLACK_SANDBOX_URL: url, NODE_OPTIONS: '--import slack-sandbox/register' };
  const { stdout } = await run(process.execPath, ['-e', source], { cwd: elsewhere, env });
  expect(stdout).toBe('yourapp\n');
});

test('the command explains itself, and says what is wrong with its options', async () => {
  const command = join(folder, 'node_modules/.bin/slack-sandbox');
  const output = async (...args: string[]) => {
    const { stdout, stderr } = await run(process.execPath, [command, ...args], { cwd: folder }).catch(
      (error) => error,
    );
    return `${stdout}${stderr}`;
  };
  expect(await output('--help')).toContain('--manifest FILE');
  expect(await output('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await output('--port', 'x')).toBe('--port must be a number from 0 to 65535, not "x"\n');
  expect(await output('--manifest', 'none.yml')).toContain('there is no such file');
  expect(await output('--prot', '1')).toContain("Unknown option '--prot'");
});
