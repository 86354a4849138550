import { expect, test } from 'vitest';
import { startApp } from '../../start-app.ts';

const scopes = ['users.profile:read', 'users:write', 'dnd:read', 'emoji:read'];

test('people are found by e-mail address, in any case', async () => {
  const { client, outcome } = await startApp({ scopes });
  expect((await client.users.lookupByEmail({ email: 'Bob@Example.com' })).user?.id).toBe('U0BOB');
  expect(await outcome('users.lookupByEmail', { email: 'nobody@example.com' })).toBe('users_not_found');
});

test('a profile is that of a person, or of the app itself', async () => {
  const { client, outcome } = await startApp({ scopes });
  expect((await client.users.profile.get({ user: 'U0BOB' })).profile).toMatchObject({
    real_name: 'Bob Brown',
    first_name: 'Bob',
    last_name: 'Brown',
    status_expiration: 0,
    email: 'bob@example.com',
    fields: {},
  });
  expect((await client.users.profile.get({})).profile).toMatchObject({ bot_id: 'B0ACME' });
  expect(await outcome('users.profile.get', { user: 'U0NOBODY' })).toBe('user_not_found');
});

test('the app can be away', async () => {
  const { client, outcome } = await startApp({ scopes });
  expect((await client.users.getPresence({ user: 'U0BOB' })).presence).toBe('active');
  await client.users.setPresence({ presence: 'away' });
  expect(await client.users.getPresence({})).toMatchObject({ presence: 'away', manual_away: true });
  expect(await outcome('users.setPresence', { presence: 'busy' })).toBe('invalid_presence');
});

test('there are no profile fields, and the custom emoji that people have added', async () => {
  const { client, sandbox, events } = await startApp({ scopes, events: ['emoji_changed'] });
  expect((await client.team.profile.get({})).profile).toMatchObject({ fields: [] });
  expect((await client.emoji.list()).emoji).toEqual({});
  const value = 'https://emoji.example/ship.png';
  await sandbox.post('emoji', { name: 'ship', value });
  expect((await client.emoji.list()).emoji).toEqual({ ship: value });
  await sandbox.post('emoji', { name: 'ship', value: null });
  expect((await client.emoji.list()).emoji).toEqual({});
  expect(await events()).toMatchObject([
    { subtype: 'add', name: 'ship', value },
    { subtype: 'remove', names: ['ship'] },
  ]);
});

test('a person pauses notifications, and the apps are told', async () => {
  const { client, alice, sandbox, events } = await startApp({
    scopes,
    events: ['dnd_updated_user'],
    userScopes: ['dnd:read', 'dnd:write'],
    userEvents: ['dnd_updated'],
  });
  const snoozed = await alice.dnd.setSnooze({ num_minutes: 30 });
  expect(snoozed).toMatchObject({ snooze_enabled: true, snooze_remaining: 1800 });
  expect(await alice.dnd.info({})).toMatchObject({ snooze_endtime: snoozed.snooze_endtime });
  const others = await client.dnd.teamInfo({ users: 'U0ALICE' });
  expect(others.users?.U0ALICE).toEqual({ dnd_enabled: false, next_dnd_start_ts: 1, next_dnd_end_ts: 1 });
  expect(await client.dnd.info({ user: 'U0ALICE' })).not.toHaveProperty('snooze_enabled');
  await sandbox.advance(1800_000);
  expect(await alice.dnd.info({})).toMatchObject({ snooze_enabled: false });
  await expect(alice.dnd.endSnooze()).rejects.toThrow('snooze_end_failed');
  await sandbox.post('snooze', { user: 'alice', minutes: 5 });
  expect(await alice.dnd.endDnd()).toMatchObject({ ok: true });
  await expect(alice.dnd.endDnd()).rejects.toThrow('not_in_dnd');
  expect((await events()).map(({ type }) => type)).toEqual(
    Array.from({ length: 3 }, () => ['dnd_updated', 'dnd_updated_user']).flat(),
  );
  await expect(client.dnd.setSnooze({ num_minutes: 1 })).rejects.toThrow('not_allowed_token_type');
  await expect(alice.dnd.setSnooze({ num_minutes: 2000 })).rejects.toThrow('too_long');
});

test('a person changes their profile and status, and says who they are', async () => {
  const { alice, client, sandbox, events } = await startApp({
    scopes,
    events: ['user_change', 'user_profile_changed', 'user_status_changed', 'user_huddle_changed'],
    userScopes: [
      'users.profile:write',
      'users:read',
      'identity.basic',
      'identity.email',
      'openid',
      'profile',
    ],
  });
  await alice.users.profile.set({ profile: { status_text: 'On call', status_emoji: ':fire:' } });
  expect((await client.users.profile.get({ user: 'U0ALICE' })).profile).toMatchObject({
    status_text: 'On call',
    status_emoji: ':fire:',
  });
  await sandbox.post('profile', { user: 'bob', profile: { huddle_state: 'in_a_huddle' } });
  expect((await events()).map(({ type }) => type)).toEqual([
    ...['user_change', 'user_profile_changed', 'user_status_changed'],
    ...['user_change', 'user_profile_changed', 'user_huddle_changed'],
  ]);
  const named = await alice.users.profile.set({ name: 'real_name', value: 'Alice Ames' });
  expect(named.profile).toMatchObject({ real_name: 'Alice Ames', first_name: 'Alice' });
  await expect(alice.users.profile.set({ profile: { status_text: 'x'.repeat(101) } })).rejects.toThrow(
    'too_long',
  );
  await expect(alice.users.profile.set({ profile: { display_name: '@me' } })).rejects.toThrow(
    'starts_with_at',
  );
  expect((await alice.users.identity({})).user).toEqual({
    id: 'U0ALICE',
    name: 'Alice Ames',
    email: 'alice@example.com',
  });
  expect(await alice.openid.connect.userInfo()).toMatchObject({ sub: 'U0ALICE', given_name: 'Alice' });
});
