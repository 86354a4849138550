import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/cli-options.ts';
import { createSlackSandbox } from '../../src/slack-sandbox.ts';
import { startSlack } from '../../src/test-kit/index.ts';
import { fullManifest, startSandbox, startSocketApp, tokens } from '../harness.ts';

const first = fullManifest;
const second = {
  display_information: { name: 'Deployer' },
  features: {
    app_home: { home_tab_enabled: true, messages_tab_enabled: false },
    bot_user: { display_name: 'Deploy Bot' },
    shortcuts: [{ name: 'Roll Back', type: 'global', callback_id: 'roll_back', description: 'Rolls back' }],
    slash_commands: [{ command: '/deploy', description: 'Deploys' }],
  },
  oauth_config: {
    redirect_urls: ['https://deploy.example/callback'],
    scopes: {
      bot: [
        'app_mentions:read',
        'channels:history',
        'channels:read',
        'chat:write',
        'commands',
        'reactions:read',
      ],
    },
  },
  settings: {
    event_subscriptions: { bot_events: ['app_mention', 'message.channels', 'reaction_added'] },
    interactivity: { is_enabled: true },
    socket_mode_enabled: true,
  },
};
const apps = [{ manifest: first }, { manifest: second }];
const secondTokens = { app: 'xapp-sandbox-2', acme: 'xoxb-sandbox-acme-2' };
const alice = { user: 'U0ALICE', channel: 'C0GENERAL' };

test('two Bolt apps in one workspace get their own commands, buttons, shortcuts and mentions', async () => {
  const sandbox = await startSandbox({ apps });
  const heard: string[] = [];
  for (const [name, own] of [
    ['first', tokens],
    ['second', secondTokens],
  ] as const) {
    await startSocketApp(
      sandbox,
      (app) => {
        app.command(/.*/, async ({ ack, command, say }) => {
          await ack();
          heard.push(`${name} ${command.command}`);
          const text = { type: 'plain_text', text: 'Go' } as const;
          const elements = [{ type: 'button' as const, action_id: 'go', text }];
          await say({ text: `by ${name}`, blocks: [{ type: 'actions', elements }] });
        });
        app.action('go', async ({ ack, respond }) => {
          await ack();
          await respond(`clicked ${name}`);
        });
        app.shortcut(/.*/, async ({ ack, shortcut }) => {
          await ack();
          heard.push(`${name} ${shortcut.callback_id}`);
        });
        app.event('app_mention', async () => void heard.push(`${name} mention`));
        app.event('app_home_opened', async () => void heard.push(`${name} home`));
      },
      own,
    );
  }
  await sandbox.post('slash', { ...alice, command: '/deploy' });
  await sandbox.post('slash', { ...alice, command: '/vps' });
  await sandbox.post('shortcut', { user: 'U0ALICE', callback_id: 'roll_back' });
  await sandbox.post('message', { ...alice, text: '@deploybot hello' });
  await sandbox.post('mention', { ...alice, app: 'Deploy Bot', text: 'hello' });
  await sandbox.post('home', { user: 'U0ALICE' });
  await expect
    .poll(() => heard)
    .toEqual([
      'second /deploy',
      'first /vps',
      'second roll_back',
      'second mention',
      'second mention',
      'first home',
    ]);
  const cards = async () =>
    (await sandbox.messages('C0GENERAL', 'U0ALICE')).filter(({ text }) => text.startsWith('by '));
  await expect.poll(cards).toMatchObject([
    { user: 'U0APPACME2', bot_id: 'B0ACME2', app_id: 'A0SANDBOX2', text: 'by second' },
    { user: 'U0APPACME', bot_id: 'B0ACME', app_id: 'A0SANDBOX', text: 'by first' },
  ]);
  for (const { ts } of await cards()) {
    expect(await sandbox.post('click', { ...alice, ts, action_id: 'go' })).toMatchObject({
      acknowledged: true,
    });
  }
  const texts = async () => (await sandbox.messages('C0GENERAL', 'U0ALICE')).map(({ text }) => text);
  await expect.poll(texts).toEqual(expect.arrayContaining(['clicked second', 'clicked first']));
});

test('each app has its own token, scopes, bot user, direct messages and install page', async () => {
  const sandbox = await startSandbox({ apps });
  const [one, two] = [sandbox.client(), sandbox.client(secondTokens.acme)];
  expect(await two.auth.test()).toMatchObject({
    user: 'deploybot',
    user_id: 'U0APPACME2',
    app_id: 'A0SANDBOX2',
  });
  await expect(two.team.info()).rejects.toThrow('missing_scope');
  expect((await one.users.info({ user: 'U0APPACME2' })).user?.profile).toMatchObject({ bot_id: 'B0ACME2' });
  expect((await one.conversations.open({ users: 'U0ALICE' })).channel?.id).toBe('D0ALICE');
  await expect(two.conversations.info({ channel: 'D0ALICE' })).rejects.toThrow('channel_not_found');
  await expect(two.chat.postMessage({ channel: 'U0ALICE', text: 'x' })).rejects.toThrow(
    'messages_tab_disabled',
  );
  const message = await one.chat.postMessage({ channel: 'C0GENERAL', text: 'mine' });
  const theirs = { channel: 'C0GENERAL', ts: message.ts ?? '', text: 'yours' };
  await expect(two.chat.update(theirs)).rejects.toThrow('cant_update_message');
  const query = { client_id: 'sandbox-client-id-2', scope: 'chat:write' };
  const page = await fetch(`${sandbox.url}/oauth/v2/authorize?${new URLSearchParams(query)}`);
  expect(await page.text()).toContain('Deployer is requesting permission');
  const settings = await sandbox.get('settings', { app: 'deployer' });
  expect(settings).toMatchObject({
    env: { SLACK_BOT_TOKEN: secondTokens.acme, SLACK_CLIENT_ID: query.client_id },
  });
  await expect(sandbox.get('settings', { app: 'none' })).rejects.toThrow(
    'There is no app none; there are: Tester, Deployer',
  );
});

test('the test kit names the app whose settings and Home tab it means', async () => {
  const slack = await startSlack({ apps });
  onTestFinished(() => slack.close());
  expect(slack.env.SLACK_BOT_TOKEN).toBe(tokens.acme);
  expect((await slack.settings('Deployer')).SLACK_APP_TOKEN).toBe(secondTokens.app);
  await expect(slack.openHome({ app: 'Nobody' })).rejects.toThrow('There is no app Nobody');
});

test('an app that is taken out stays out, and the other one stays in', async () => {
  const sandbox = await startSandbox({ apps });
  await sandbox.post('uninstall', { app: 'Deployer' });
  await expect(sandbox.client(secondTokens.acme).auth.test()).rejects.toThrow('account_inactive');
  expect((await sandbox.client().auth.test()).ok).toBe(true);
  await sandbox.post('reset');
  expect((await sandbox.client(secondTokens.acme).auth.test()).ok).toBe(true);
});

test('two apps with one command or one name are refused at the start', async () => {
  const rival = {
    ...second,
    features: { ...second.features, slash_commands: first.features.slash_commands },
  };
  await expect(
    createSlackSandbox({ port: 0, apps: [{ manifest: first }, { manifest: rival }] }),
  ).rejects.toThrow(
    'The command /vps is in the manifests of Tester and Deployer. Remove it from one of them.',
  );
  const namesake = { display_information: { name: 'TESTER' } };
  await expect(
    createSlackSandbox({ port: 0, apps: [{ manifest: first }, { manifest: namesake }] }),
  ).rejects.toThrow('Two apps are called tester.');
});

test('a YAML names the apps, and the channels in which each of them is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slack-sandbox-apps-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, manifest] of Object.entries({ first, second })) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(manifest));
  }
  const seed = join(folder, 'world.yml');
  await writeFile(
    seed,
    `apps: [{ manifest: first.json }, { manifest: second.json }]
name: Wayne
people: [{ name: bruce }]
channels: [{ name: general }, { name: deploys, members: [bruce, deploybot] }]
`,
  );
  const request = parseCommandLine(['--seed', seed, '--port', '0']);
  if (request.kind !== 'start') throw new Error('It does not start');
  const sandbox = await createSlackSandbox(request.options);
  onTestFinished(() => sandbox.close());
  expect(sandbox.apps.map(({ name }) => name)).toEqual(['Tester', 'Deployer']);
  const memberships = await Promise.all(
    sandbox.apps.map(async ({ env }) => {
      const headers = { authorization: `Bearer ${env.SLACK_BOT_TOKEN}` };
      const response = await fetch(`${sandbox.url}/api/conversations.list`, { headers });
      const { channels } = (await response.json()) as { channels: { name: string; is_member: boolean }[] };
      return channels.filter(({ is_member }) => is_member).map(({ name }) => name);
    }),
  );
  expect(memberships).toEqual([['general'], ['general', 'deploys']]);
  const named = parseCommandLine([
    '--manifest',
    'a.yml',
    '--manifest',
    'b.yml',
    '--delivery',
    'http:http://127.0.0.1:1',
  ]);
  expect(named).toMatchObject({
    options: { apps: [{ manifest: 'a.yml', delivery: 'http:http://127.0.0.1:1' }, { manifest: 'b.yml' }] },
  });
});
