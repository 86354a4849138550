import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { World } from '../../src/index.ts';
import { type StartedSlack, startSlack } from '../../src/test-kit/index.ts';
import { readWorld } from '../../src/world/read-world.ts';
import { fullManifest, startSandbox } from '../harness.ts';

const world: World = {
  name: 'Wayne Enterprises',
  people: [
    {
      name: 'bruce',
      real_name: 'Bruce Wayne',
      role: 'owner',
      email: 'bruce@wayne.example',
      tz: 'America/New_York',
    },
    { name: 'lucius' },
    { name: 'visitor', role: 'guest' },
  ],
  channels: [
    { name: 'general' },
    { name: 'cave', private: true, members: ['bruce', 'app'], topic: 'Secret' },
    { name: 'board', private: true, members: ['bruce', 'lucius'] },
  ],
  groups: [{ handle: 'directors', members: ['bruce', 'lucius'] }],
};

async function start(seed: string | World): Promise<StartedSlack> {
  const slack = await startSlack({ manifest: fullManifest, seed, user: 'bruce' });
  onTestFinished(() => slack.close());
  return slack;
}

const answer = z.looseObject({
  team_id: z.string().optional(),
  user_id: z.string().optional(),
  bot_id: z.string().optional(),
  user: z.unknown().optional(),
  channels: z.array(z.looseObject({ name: z.string() })).default([]),
});

async function call(slack: StartedSlack, method: string, args: Record<string, string> = {}) {
  const response = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.env.SLACK_BOT_TOKEN}` },
    body: new URLSearchParams(args),
  });
  return answer.parse(await response.json());
}

test('people act by name in a world of their own, whose IDs and token look like Slack’s', async () => {
  const slack = await start(world);
  expect(slack.env.SLACK_BOT_TOKEN).toMatch(/^xoxb-\d{12}-\d{13}-[a-z0-9]{24}$/);
  const { team_id, user_id, bot_id } = await call(slack, 'auth.test');
  for (const id of [team_id, user_id, bot_id]) expect(id).toMatch(/^[TUB][A-Z0-9]{8,}$/);
  await slack.say('hello', { user: 'lucius' });
  const [message] = await slack.messages();
  expect(message?.user).toMatch(/^U[A-Z0-9]{8,}$/);
  const { user } = await call(slack, 'users.info', { user: message?.user ?? '' });
  expect(user).toMatchObject({ name: 'lucius', real_name: 'lucius', is_owner: false });
});

test('the app sees a private channel only if it is a member', async () => {
  const { oauth_config } = fullManifest;
  const bot = [...oauth_config.scopes.bot, 'groups:read'];
  const manifest = { ...fullManifest, oauth_config: { scopes: { bot } } };
  const slack = await startSlack({ manifest, seed: world });
  onTestFinished(() => slack.close());
  const { channels } = await call(slack, 'conversations.list', { types: 'public_channel,private_channel' });
  expect(channels.map(({ name }) => name)).toEqual(['general', 'cave']);
  expect(channels[1]).toMatchObject({ is_private: true, is_group: true, topic: { value: 'Secret' } });
  const [board] =
    readWorld(world)
      .createSeeds(['tester'])[0]
      ?.channels.filter(({ name }) => name === 'board') ?? [];
  expect(await call(slack, 'conversations.info', { channel: board?.id ?? '' })).toMatchObject({
    error: 'channel_not_found',
  });
  expect(await call(slack, 'chat.postMessage', { channel: 'board', text: 'x' })).toMatchObject({
    error: 'channel_not_found',
  });
});

test('people who are not in a private channel cannot read it', async () => {
  const slack = await start(world);
  await expect(slack.messages({ channel: 'cave', user: 'lucius' })).rejects.toThrow('cannot read');
  expect(await slack.messages({ channel: 'cave', user: 'bruce' })).toEqual([]);
});

test('a file can describe several workspaces, and a reset restores them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slack-sandbox-world-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'world.yml');
  const one = 'people: [{ name: ann }]\n    channels: [{ name: general }]';
  await writeFile(file, `workspaces:\n  - name: One\n    ${one}\n  - name: Two\n    ${one}\n`);
  const slack = await start(file);
  await slack.say('hi', { user: 'ann', team: 'Two' });
  expect(await slack.messages({ user: 'ann', team: 'Two' })).toHaveLength(1);
  expect(await slack.messages({ user: 'ann', team: 'one' })).toHaveLength(0);
  await slack.reset();
  expect(await slack.messages({ user: 'ann', team: 'Two' })).toHaveLength(0);
});

test('every problem of a description is listed', () => {
  const contradictory: World = {
    name: 'W',
    people: [{ name: 'ann' }, { name: 'ann' }],
    channels: [{ name: 'general', members: ['zoe', 'app'] }, { name: 'general' }],
    groups: [{ handle: 'all', members: ['app'] }],
  };
  expect(() => readWorld(contradictory).createSeeds(['tester'])).toThrow(
    [
      'seed is not a valid description of workspaces:',
      '- two people of W are called ann',
      '- two channels of W are called general',
      '- the channel general of W has the member zoe, who is not among its people',
      '- the group all of W has the member app, who is not among its people',
    ].join('\n'),
  );
  const malformed = { name: 'W', people: [{ name: 'Ann B', tz: 'Mars' }], channels: [], color: 1 };
  for (const problem of ['people[0].name: must', 'people[0].tz: must', 'channels: Too small', '"color"']) {
    expect(() => readWorld(malformed as World)).toThrow(problem);
  }
  expect(() => readWorld('none.yml')).toThrow('The seed none.yml cannot be read: there is no such file');
});

test('ten thousand people and two hundred channels start within seconds', async () => {
  const people = Array.from({ length: 10_000 }, (_, index) => ({ name: `person-${index}` }));
  const channels = Array.from({ length: 200 }, (_, index) => ({ name: `channel-${index}` }));
  const slack = await start({ name: 'Big', people, channels });
  await slack.say('hello', { user: 'person-9999', channel: 'channel-199' });
  expect(await slack.messages({ user: 'person-0', channel: 'channel-199' })).toHaveLength(1);
});

test('the default workspaces keep their names and tokens', async () => {
  const sandbox = await startSandbox();
  expect(await sandbox.get('settings')).toMatchObject({
    env: { SLACK_BOT_TOKEN: 'xoxb-sandbox-acme', SLACK_APP_TOKEN: 'xapp-sandbox' },
  });
});
