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

test('nobody has notifications off, and there are no custom emoji or profile fields', async () => {
  const { client } = await startApp({ scopes });
  expect(await client.dnd.info({ user: 'U0BOB' })).toMatchObject({ dnd_enabled: false });
  expect((await client.dnd.teamInfo({ users: 'U0BOB' })).users).toMatchObject({
    U0BOB: { dnd_enabled: false },
  });
  expect((await client.emoji.list()).emoji).toEqual({});
  expect((await client.team.profile.get({})).profile).toMatchObject({ fields: [] });
  expect((await client.auth.teams.list({})).teams).toEqual([{ id: 'T0ACME', name: 'Acme' }]);
});
