import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { replaceCredentials } from '../src/register/replace-credentials.ts';
import { startSandbox } from './harness.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const preload = fileURLToPath(new URL('../src/register/main.ts', import.meta.url));

/** Runs an app's source with the preload. Its file is in this folder, so that it finds Bolt. */
async function runApp(source: string, env: Record<string, string>) {
  const scratch = await mkdtemp(join(folder, 'register-app-'));
  const file = join(scratch, 'app.mjs');
  await writeFile(file, source);
  const child = spawn(process.execPath, ['--import', preload, file], { env: { ...process.env, ...env } });
  onTestFinished(async () => {
    child.kill();
    await rm(scratch, { recursive: true });
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      output += part;
    });
  }
  return { output: () => output };
}

const bolt = `
import bolt from '@slack/bolt';
const app = new bolt.App({
  token: process.env.SLACK_BOT_TOKEN,
  appToken: process.env.SLACK_APP_TOKEN,
  socketMode: true,
});
app.command('/vps', async ({ ack, respond, command, client }) => {
  await ack();
  await respond('You typed ' + command.text);
  await client.files.uploadV2({ channel_id: 'C0GENERAL', filename: 'a.txt', content: 'hello' });
});
await app.start();
console.log('started');
`;

test('an unchanged Bolt app talks to the sandbox, and its real token is never sent', async () => {
  // Slack needs a second to process a file.
  const sandbox = await startSandbox({ now: Date.now });
  const app = await runApp(bolt, { SLACK_SANDBOX_URL: sandbox.url, SLACK_BOT_TOKEN: 'xoxb-real' });
  await expect.poll(app.output).toContain('started');
  expect(app.output()).toContain(`SLACK_BOT_TOKEN: replaced by the sandbox's own`);
  await sandbox.post('slash', { user: 'U0ALICE', channel: 'C0GENERAL', command: '/vps', text: 'list' });
  const texts = async () => (await sandbox.messages('C0GENERAL', 'U0ALICE')).map(({ text }) => text);
  await expect.poll(texts).toContain('You typed list');
  const files = async () =>
    (await sandbox.messages('C0GENERAL', 'U0ALICE')).flatMap(({ files }) => files ?? []);
  await expect.poll(files).toMatchObject([{ name: 'a.txt' }]);
});

const https = `
import { get } from 'node:https';
import { connect } from 'node:tls';
const read = (url) => new Promise((resolve, reject) => {
  get(url, (response) => response.on('data', (part) => resolve(String(part)))).on('error', reject);
});
console.log('https', await read('https://slack.com/api/api.test?via=https'));
console.log('fetch', await (await fetch('https://slack.com/api/api.test?via=fetch')).text());
const other = process.env.SLACK_SANDBOX_URL.replace('http:', 'https:');
console.log('other', await fetch(other).catch((error) => error.cause.code));
const socket = connect(443, 'slack.com', {}, () => { console.log('tls secure'); socket.destroy(); });
`;

test('node:https, fetch and plain TLS reach the sandbox, and other hosts are left alone', async () => {
  const sandbox = await startSandbox();
  const app = await runApp(https, { SLACK_SANDBOX_URL: sandbox.url });
  await expect.poll(app.output).toContain('tls secure');
  expect(app.output()).toContain('https {"ok":true,"args":{"via":"https"}}');
  expect(app.output()).toContain('fetch {"ok":true,"args":{"via":"fetch"}}');
  expect(app.output()).toContain('other ERR_SSL');
});

const dotenv = `
import { env } from 'node:process';
import { execFileSync } from 'node:child_process';
import { webApi } from '@slack/bolt';
process.loadEnvFile(process.env.ENV_FILE);
process.env.SLACK_BOT_TOKEN = 'xoxb-real';
Object.assign(process.env, { SLACK_CLIENT_ID: '1.2', SLACK_SIGNING_SECRET: 'real' });
const script = 'process.stdout.write(process.env.SLACK_CLIENT_ID)';
console.log('child', execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
console.log('other', env.OTHER, 'copy', { ...process.env }.SLACK_SIGNING_SECRET);
for (const token of [env.SLACK_ACCESS_TOKEN, process.env.SLACK_BOT_TOKEN]) {
  console.log((await new webApi.WebClient(token).auth.test()).user_id);
}
`;

test('credentials that the app reads from a file later are replaced too, and each is named once', async () => {
  const sandbox = await startSandbox();
  const scratch = await mkdtemp(join(folder, 'register-env-'));
  onTestFinished(() => rm(scratch, { recursive: true }));
  const file = join(scratch, 'tokens');
  await writeFile(file, 'SLACK_ACCESS_TOKEN=xoxb-real\nOTHER=real\n');
  const app = await runApp(dotenv, { SLACK_SANDBOX_URL: sandbox.url, ENV_FILE: file });
  await expect.poll(app.output).toContain('U0APPACME\nU0APPACME');
  expect(app.output()).toContain('child sandbox-client-id\n');
  expect(app.output()).toContain('other real copy sandbox-signing-secret');
  expect(app.output().split("SLACK_ACCESS_TOKEN: replaced by the sandbox's own.")).toHaveLength(2);
});

test('without a sandbox, the app does not start and is told how to start one', async () => {
  const app = await runApp('console.log("started")', { SLACK_SANDBOX_URL: 'http://127.0.0.1:9' });
  await expect.poll(app.output).toContain('No slack-sandbox answers at http://127.0.0.1:9');
  expect(app.output()).not.toContain('started\n');
});

test("settings that an app doesn't use stay unset, and a token of another workspace stays", () => {
  const settings = {
    env: { SLACK_BOT_TOKEN: 'xoxb-one', SLACK_APP_TOKEN: 'xapp-one', SLACK_CLIENT_ID: 'one' },
    bot_tokens: ['xoxb-one', 'xoxb-two'],
  };
  const env: Record<string, string | undefined> = { SLACK_BOT_TOKEN: 'xoxb-two' };
  expect(replaceCredentials(env, settings)).toEqual([]);
  expect(env).toEqual({ SLACK_BOT_TOKEN: 'xoxb-two', SLACK_APP_TOKEN: 'xapp-one' });
  const oauth = { SLACK_CLIENT_ID: 'real' };
  expect(replaceCredentials(oauth, settings)).toEqual(['SLACK_CLIENT_ID']);
  const hubot = { HUBOT_SLACK_BOT_TOKEN: 'xoxb-real', HUBOT_SLACK_APP_TOKEN: 'xapp-real', OTHER: 'xoxb' };
  expect(replaceCredentials(hubot, settings)).toEqual(['HUBOT_SLACK_BOT_TOKEN', 'HUBOT_SLACK_APP_TOKEN']);
  expect(hubot).toMatchObject({ HUBOT_SLACK_APP_TOKEN: 'xapp-one', OTHER: 'xoxb' });
  const alerts = { ALERTS: 'https://hooks.slack.com/services/T1/B1/real', HOME: 'https://slack.com/' };
  expect(replaceCredentials(alerts, settings)).toEqual([]);
  Object.assign(settings.env, { SLACK_WEBHOOK_URL: 'http://127.0.0.1/services/one' });
  expect(replaceCredentials(alerts, settings)).toEqual(['ALERTS']);
  // Some clients refuse a webhook that isn't at Slack.
  const webhook = 'https://hooks.slack.com/services/one';
  expect(alerts).toMatchObject({ ALERTS: webhook, HOME: 'https://slack.com/' });
});
