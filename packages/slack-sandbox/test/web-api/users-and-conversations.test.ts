import { describe, expect, test } from 'vitest';
import { fullManifest, startSandbox, tokens } from '../harness.ts';

describe('people', () => {
  test('have a type: owner, member, guest, stranger, bot', async () => {
    const sandbox = await startSandbox();
    const { members = [] } = await sandbox.client().users.list({});
    const facts = members.map(({ id, team_id, is_owner, is_restricted, is_bot }) => [
      ...[id, team_id],
      ...[is_owner, is_restricted, is_bot].map(Number),
    ]);
    expect(facts).toEqual([
      ['U0ALICE', 'T0ACME', 1, 0, 0],
      ['U0BOB', 'T0ACME', 0, 0, 0],
      ['U0CAROL', 'T0ACME', 0, 0, 0],
      ['U0DAVE', 'T0ACME', 0, 1, 0],
      ['U0ERIN', 'T0INITECH', 0, 0, 0],
      ['U0APPACME', 'T0ACME', 0, 0, 1],
    ]);
  });

  test('have a time zone with its current offset', async () => {
    const sandbox = await startSandbox();
    const info = () => sandbox.client().users.info({ user: 'U0ALICE' });
    const winter = { tz: 'Europe/Berlin', tz_label: 'Central European Standard Time', tz_offset: 3600 };
    expect((await info()).user).toMatchObject(winter);
    await sandbox.advance(180 * 86_400_000);
    expect((await info()).user).toMatchObject({ tz_label: 'Central European Summer Time', tz_offset: 7200 });
    const { user: bob } = await sandbox.client().users.info({ user: 'U0BOB' });
    expect(bob).toMatchObject({ tz_offset: -4 * 3600 });
  });

  test('show their e-mail address only with users:read.email', async () => {
    const sandbox = await startSandbox();
    expect((await sandbox.client().users.info({ user: 'U0BOB' })).user?.profile?.email).toBe(
      'bob@example.com',
    );
    const bot = ['users:read'];
    const without = await startSandbox({ manifest: { ...fullManifest, ...only(bot) } });
    expect((await without.client().users.info({ user: 'U0BOB' })).user?.profile).not.toHaveProperty('email');
  });

  test('of another workspace are not found', async () => {
    const sandbox = await startSandbox();
    await expect(sandbox.client().users.info({ user: 'U0GWEN' })).rejects.toThrow('user_not_found');
    await expect(sandbox.client(tokens.globex).users.info({ user: 'U0GWEN' })).resolves.toMatchObject({
      ok: true,
    });
  });

  test('are listed in pages', async () => {
    const sandbox = await startSandbox();
    const { users } = sandbox.client();
    const first = await users.list({ limit: 4 });
    const second = await users.list({ limit: 4, cursor: first.response_metadata?.next_cursor ?? '' });
    expect(second.response_metadata?.next_cursor).toBe('');
    const ids = [...(first.members ?? []), ...(second.members ?? [])].map(({ id }) => id);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
    await expect(users.list({ cursor: 'nonsense' })).rejects.toThrow('invalid_cursor');
    // The reference of users.list has no error for a limit.
    await expect(users.list({ limit: 1001 })).resolves.toMatchObject({ ok: true });
    await expect(sandbox.client().conversations.list({ limit: 1001 })).rejects.toThrow('invalid_limit');
  });
});

function only(bot: string[]) {
  const settings = { interactivity: { is_enabled: true } };
  const features = { bot_user: { display_name: 'Tester' } };
  return { features, settings, oauth_config: { scopes: { bot } } };
}

describe('conversations', () => {
  test('show whether the app is a member and who shares them', async () => {
    const sandbox = await startSandbox();
    const { channels = [] } = await sandbox.client().conversations.list({});
    const facts = channels.map(({ id, is_member, is_general, is_ext_shared, num_members }) => [
      ...[id, num_members],
      ...[is_member, is_general, is_ext_shared].map(Number),
    ]);
    expect(facts).toEqual([
      ['C0OPS', 6, 1, 0, 1],
      ['C0GENERAL', 5, 1, 1, 0],
      ['C0RANDOM', 5, 1, 0, 0],
      ['C0QUIET', 3, 0, 0, 0],
    ]);
    const { channel } = await sandbox
      .client()
      .conversations.info({ channel: 'C0OPS', include_num_members: true });
    expect(channel).toMatchObject({ name: 'ops', num_members: 6, shared_team_ids: ['T0ACME', 'T0INITECH'] });
  });

  test('need the scope of their kind', async () => {
    const sandbox = await startSandbox({ manifest: { ...fullManifest, ...only(['im:read', 'im:write']) } });
    const { conversations } = sandbox.client();
    await conversations.open({ users: 'U0BOB' });
    await expect(conversations.info({ channel: 'D0BOB' })).resolves.toMatchObject({
      channel: { is_im: true },
    });
    await expect(conversations.info({ channel: 'C0OPS' })).rejects.toMatchObject({
      data: { error: 'missing_scope', needed: 'channels:read' },
    });
    await expect(conversations.list({ types: 'public_channel,im' })).rejects.toThrow('missing_scope');
    await expect(conversations.list({ types: 'rooms' })).rejects.toThrow('invalid_types');
  });

  test('with one person open once and then stay the same', async () => {
    const sandbox = await startSandbox();
    const { conversations } = sandbox.client();
    const opened = await conversations.open({ users: 'U0BOB' });
    expect(opened.channel?.id).toBe('D0BOB');
    expect(opened).not.toHaveProperty('already_open');
    expect(await conversations.open({ users: 'U0BOB' })).toMatchObject({ no_op: true, already_open: true });
    expect((await conversations.open({ channel: 'D0BOB', return_im: true })).channel).toMatchObject({
      user: 'U0BOB',
    });
    await expect(conversations.open({ users: 'U0NOBODY' })).rejects.toThrow('user_not_found');
    await expect(conversations.open({ users: 'U0APPACME' })).rejects.toThrow('cannot_dm_bot');
    await expect(sandbox.client().apiCall('conversations.open')).rejects.toThrow('users_list_not_supplied');
  });

  test('can be joined', async () => {
    const sandbox = await startSandbox();
    const { conversations, chat } = sandbox.client();
    expect((await conversations.join({ channel: 'C0QUIET' })).channel).toMatchObject({ is_member: true });
    await expect(chat.postMessage({ channel: 'C0QUIET', text: 'Hi' })).resolves.toMatchObject({ ok: true });
    expect(await conversations.join({ channel: 'C0QUIET' })).toMatchObject({ warning: 'already_in_channel' });
    expect((await conversations.members({ channel: 'C0QUIET' })).members).toContain('U0APPACME');
    const { channels } = await sandbox.client().users.conversations({ user: 'U0DAVE' });
    expect(channels?.map(({ name }) => name)).toEqual(['ops', 'general', 'random']);
  });

  test('return their history between two times, newest first, in pages', async () => {
    const sandbox = await startSandbox();
    const { conversations, chat } = sandbox.client();
    const times: string[] = [];
    for (const text of ['a', 'b', 'c', 'd']) {
      times.push((await chat.postMessage({ channel: 'C0OPS', text })).ts ?? '');
    }
    const texts = async (args: object) => {
      const { messages = [] } = await conversations.history({ channel: 'C0OPS', ...args });
      return messages.map(({ text }) => text).join('');
    };
    expect(await texts({})).toBe('dcba');
    expect(await texts({ oldest: times[1], latest: times[3] })).toBe('c');
    expect(await texts({ oldest: times[1], latest: times[3], inclusive: true })).toBe('dcb');
    const first = await conversations.history({ channel: 'C0OPS', limit: 3 });
    expect(first).toMatchObject({ has_more: true });
    expect(await texts({ limit: 3, cursor: first.response_metadata?.next_cursor })).toBe('a');
    await expect(texts({ oldest: 'yesterday' })).rejects.toThrow('invalid_ts_oldest');
    await expect(conversations.history({ channel: 'C0QUIET' })).rejects.toThrow('not_in_channel');
    await expect(conversations.replies({ channel: 'C0OPS', ts: '1.0' })).rejects.toThrow('thread_not_found');
  });

  test('say of a thread how far the caller has read it', async () => {
    const sandbox = await startSandbox();
    const { conversations, chat } = sandbox.client();
    const { ts = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'Parent' });
    const reply = await chat.postMessage({ channel: 'C0OPS', text: 'Reply', thread_ts: ts });
    const { messages } = await conversations.replies({ channel: 'C0OPS', ts });
    expect(messages).toMatchObject([
      { subscribed: true, last_read: reply.ts, unread_count: 0 },
      { ts: reply.ts },
    ]);
    expect(messages?.[1]).not.toHaveProperty('subscribed');
  });
});

test('user groups are listed with their members', async () => {
  const sandbox = await startSandbox();
  const { usergroups } = sandbox.client();
  const { usergroups: groups } = await usergroups.list({ include_users: true });
  expect(groups).toMatchObject([
    { id: 'S0ONCALL', handle: 'on-call', users: ['U0ALICE', 'U0BOB'] },
    { id: 'S0RELEASE' },
  ]);
  expect((await usergroups.users.list({ usergroup: 'S0RELEASE' })).users).toEqual(['U0CAROL']);
  await expect(usergroups.users.list({ usergroup: 'S0NONE' })).rejects.toThrow('no_such_subteam');
});

test('the app, its bot and the team describe themselves', async () => {
  const sandbox = await startSandbox();
  const { bots, team, api } = sandbox.client();
  expect((await bots.info({ bot: 'B0ACME' })).bot).toMatchObject({
    app_id: 'A0SANDBOX',
    user_id: 'U0APPACME',
  });
  await expect(bots.info({ bot: 'B0NONE' })).rejects.toThrow('bot_not_found');
  expect((await team.info({})).team).toMatchObject({ id: 'T0ACME', name: 'Acme', domain: 'acme' });
  await expect(team.info({ team: 'T0GLOBEX' })).rejects.toThrow('team_not_found');
  await expect(api.test({ error: 'my_error' })).rejects.toThrow('my_error');
});
