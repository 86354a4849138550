import { expect, test } from 'vitest';
import { startApp } from '../../start-app.ts';

const needs = {
  scopes: [
    ...['channels:manage', 'groups:write', 'groups:read', 'groups:history', 'mpim:write', 'mpim:read'],
    ...['bookmarks:read', 'bookmarks:write', 'chat:write.public', 'mpim:history'],
  ],
  events: [
    ...['channel_created', 'channel_rename', 'channel_archive', 'channel_unarchive', 'channel_left'],
    ...['group_rename', 'group_archive', 'member_left_channel', 'member_joined_channel', 'group_left'],
  ],
};

async function create(app: Awaited<ReturnType<typeof startApp>>, name: string, is_private = false) {
  const { channel } = await app.client.conversations.create({ name, is_private });
  return channel?.id ?? '';
}

test('a channel is created, described, renamed, archived and restored, with the events of it', async () => {
  const app = await startApp(needs);
  const { client } = app;
  const channel = await create(app, 'incident-1');
  expect(channel).toMatch(/^C[A-Z0-9]{8,}$/);
  await client.conversations.setTopic({ channel, topic: 'All is lost' });
  await client.conversations.setPurpose({ channel, purpose: 'To talk' });
  await client.conversations.rename({ channel, name: 'incident-2' });
  const info = await client.conversations.info({ channel });
  expect(info.channel).toMatchObject({
    name: 'incident-2',
    creator: 'U0APPACME',
    topic: { value: 'All is lost', creator: 'U0APPACME' },
    purpose: { value: 'To talk' },
    previous_names: ['incident-1'],
  });
  await client.conversations.archive({ channel });
  expect(await app.outcome('chat.postMessage', { channel, text: 'x' })).toBe('is_archived');
  await client.conversations.unarchive({ channel });
  const { messages = [] } = await client.conversations.history({ channel });
  expect(messages.map(({ subtype }) => subtype).reverse()).toEqual([
    ...['channel_topic', 'channel_purpose', 'channel_name', 'channel_archive', 'channel_unarchive'],
  ]);
  expect(await app.events()).toMatchObject([
    { type: 'channel_created', channel: { id: channel, name: 'incident-1' } },
    { type: 'channel_rename', channel: { name: 'incident-2' } },
    { type: 'channel_archive', channel },
    { type: 'channel_unarchive', channel },
  ]);
});

test('names are refused as Slack refuses them', async () => {
  const { outcome } = await startApp(needs);
  const create = (name: string) => outcome('conversations.create', { name });
  expect(await create('general')).toBe('name_taken');
  expect(await create('')).toBe('invalid_name_required');
  expect(await create('Not Good')).toBe('invalid_name_specials');
  expect(await create('--')).toBe('invalid_name_punctuation');
  expect(await create('x'.repeat(81))).toBe('invalid_name_maxlength');
  const without = await startApp({ scopes: ['groups:write'] });
  expect(await without.outcome('conversations.create', { name: 'open' })).toBe('missing_scope');
  expect(await without.outcome('conversations.create', { name: 'closed', is_private: true })).toBe('ok');
});

test('people are invited and removed, with an error for each who cannot be', async () => {
  const app = await startApp(needs);
  const { client, outcome } = app;
  const channel = await create(app, 'team');
  await client.conversations.invite({ channel, users: 'U0ALICE,U0BOB' });
  const again = client.conversations.invite({ channel, users: 'U0ALICE' });
  await expect(again).rejects.toMatchObject({
    data: {
      error: 'already_in_channel',
      errors: [{ user: 'U0ALICE', ok: false, error: 'already_in_channel' }],
    },
  });
  expect(await outcome('conversations.invite', { channel, users: 'U0APPACME' })).toBe('cant_invite_self');
  expect(await outcome('conversations.invite', { channel, users: '' })).toBe('no_user');
  const mixed = client.conversations.invite({ channel, users: 'U0CAROL,U0NOBODY' });
  await expect(mixed).rejects.toMatchObject({
    data: { error: 'user_not_found', errors: [{ user: 'U0NOBODY', error: 'user_not_found' }] },
  });
  await client.conversations.invite({ channel, users: 'U0CAROL,U0NOBODY', force: true });
  await client.conversations.kick({ channel, user: 'U0BOB' });
  expect(await outcome('conversations.kick', { channel, user: 'U0BOB' })).toBe('not_in_channel');
  expect(await outcome('conversations.kick', { channel, user: 'U0APPACME' })).toBe('cant_kick_self');
  expect(await outcome('conversations.kick', { channel: 'C0GENERAL', user: 'U0BOB' })).toBe(
    'cant_kick_from_general',
  );
  expect((await client.conversations.members({ channel })).members).toEqual([
    'U0APPACME',
    'U0ALICE',
    'U0CAROL',
  ]);
  expect((await app.events()).slice(1)).toMatchObject([
    { type: 'member_joined_channel', user: 'U0ALICE', inviter: 'U0APPACME', channel_type: 'C' },
    { type: 'member_joined_channel', user: 'U0BOB' },
    { type: 'member_joined_channel', user: 'U0CAROL' },
    { type: 'member_left_channel', user: 'U0BOB', channel },
  ]);
});

test('the app leaves a channel, and a private one is gone for it', async () => {
  const app = await startApp(needs);
  const channel = await create(app, 'secret', true);
  expect(await app.outcome('conversations.leave', { channel })).toBe('last_member');
  await app.client.conversations.invite({ channel, users: 'U0ALICE' });
  await app.client.conversations.rename({ channel, name: 'secrets' });
  await app.client.conversations.leave({ channel });
  expect(await app.outcome('conversations.info', { channel })).toBe('channel_not_found');
  expect(await app.outcome('conversations.leave', { channel: 'C0GENERAL' })).toBe('cant_leave_general');
  expect(await app.client.conversations.leave({ channel: 'C0QUIET' })).toMatchObject({
    not_in_channel: true,
  });
  expect(await app.events()).toMatchObject([
    { type: 'member_joined_channel', channel_type: 'G' },
    { type: 'group_rename', channel: { name: 'secrets' } },
    { type: 'group_left', channel },
    { type: 'member_left_channel', user: 'U0APPACME' },
  ]);
});

test('only what can be changed is changed', async () => {
  const app = await startApp(needs);
  const { outcome } = app;
  expect(await outcome('conversations.rename', { channel: 'C0OPS', name: 'new' })).toBe('not_authorized');
  expect(await outcome('conversations.archive', { channel: 'C0GENERAL' })).toBe('cant_archive_general');
  expect(await outcome('conversations.archive', { channel: 'C0QUIET' })).toBe('not_in_channel');
  expect(await outcome('conversations.unarchive', { channel: 'C0OPS' })).toBe('not_archived');
  expect(await outcome('conversations.setTopic', { channel: 'C0OPS', topic: 'x'.repeat(251) })).toBe(
    'too_long',
  );
  expect(await outcome('conversations.mark', { channel: 'C0OPS', ts: 'x' })).toBe('invalid_timestamp');
  expect(await outcome('conversations.mark', { channel: 'C0OPS', ts: '1.000001' })).toBe('ok');
  const { channel: im } = await app.client.conversations.open({ users: 'U0ALICE' });
  const channel = im?.id ?? '';
  expect(await outcome('conversations.setTopic', { channel, topic: 'x' })).toBe(
    'method_not_supported_for_channel_type',
  );
  expect(await outcome('conversations.close', { channel })).toBe('ok');
  expect(await outcome('conversations.close', { channel: 'C0OPS' })).toBe(
    'method_not_supported_for_channel_type',
  );
});

test('several people share direct messages with the app', async () => {
  const { client, outcome } = await startApp(needs);
  const open = async (users: string) => (await client.conversations.open({ users })).channel?.id ?? '';
  const channel = await open('U0ALICE,U0BOB');
  expect(await open('U0BOB,U0ALICE')).toBe(channel);
  await client.chat.postMessage({ channel, text: 'hello both' });
  expect((await client.conversations.info({ channel })).channel).toMatchObject({
    is_mpim: true,
    name: 'mpdm-alice--bob--tester-1',
  });
  expect((await client.conversations.list({ types: 'mpim' })).channels).toHaveLength(1);
  expect((await client.conversations.history({ channel })).messages).toMatchObject([{ text: 'hello both' }]);
  expect(await outcome('conversations.open', { users: 'U0ALICE,U0NOBODY' })).toBe('user_not_found');
});

test('bookmarks are added, edited and removed', async () => {
  const { client, outcome } = await startApp(needs);
  const channel_id = 'C0GENERAL';
  const added = await client.bookmarks.add({
    channel_id,
    title: 'Docs',
    type: 'link',
    link: 'https://example.com',
  });
  const bookmark_id = added.bookmark?.id ?? '';
  await client.bookmarks.edit({ channel_id, bookmark_id, title: 'Manual' });
  expect((await client.bookmarks.list({ channel_id })).bookmarks).toMatchObject([
    { id: bookmark_id, title: 'Manual', link: 'https://example.com' },
  ]);
  const add = (args: object) =>
    outcome('bookmarks.add', { channel_id, title: 'A', type: 'link', link: 'https://a.example', ...args });
  expect(await add({ link: 'nowhere' })).toBe('invalid_link');
  expect(await add({ type: 'file' })).toBe('invalid_bookmark_type');
  expect(await add({ channel_id: 'C0QUIET' })).toBe('permission_denied');
  expect(await outcome('bookmarks.list', { channel_id: 'C0QUIET' })).toBe('channel_not_found');
  await client.bookmarks.remove({ channel_id, bookmark_id });
  expect(await outcome('bookmarks.remove', { channel_id, bookmark_id })).toBe('not_found');
});
