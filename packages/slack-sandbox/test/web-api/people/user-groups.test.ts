import { expect, test } from 'vitest';
import { startApp } from '../../start-app.ts';

const needs = {
  scopes: ['usergroups:write'],
  events: ['subteam_created', 'subteam_updated', 'subteam_members_changed'],
};

test('an app creates a group, changes it and its members, and hears of it', async () => {
  const { client, events } = await startApp(needs);
  const created = await client.usergroups.create({ name: 'Night Shift', channels: 'C0OPS' });
  expect(created.usergroup).toMatchObject({ name: 'Night Shift', handle: 'night-shift', users: [] });
  const usergroup = created.usergroup?.id ?? '';
  await client.usergroups.users.update({ usergroup, users: 'U0BOB,U0CAROL' });
  await client.usergroups.users.update({ usergroup, users: 'U0CAROL,U0ALICE' });
  await client.usergroups.update({ usergroup, handle: 'nights', description: 'At night' });
  const { usergroups } = await client.usergroups.list({ include_users: true, include_count: true });
  expect(usergroups?.at(-1)).toMatchObject({
    ...{ handle: 'nights', description: 'At night', prefs: { channels: ['C0OPS'] } },
    ...{ users: ['U0CAROL', 'U0ALICE'], user_count: 2, created_by: 'U0APPACME' },
  });
  const subteam_id = usergroup;
  expect(await events()).toMatchObject([
    { type: 'subteam_created', subteam: { id: usergroup } },
    { type: 'subteam_updated', subteam: { user_count: 2 } },
    { type: 'subteam_members_changed', subteam_id, added_users: ['U0BOB', 'U0CAROL'], removed_users: [] },
    { type: 'subteam_updated' },
    { type: 'subteam_members_changed', added_users: ['U0ALICE'], removed_users: ['U0BOB'] },
    { type: 'subteam_updated', subteam: { handle: 'nights' } },
  ]);
});

test('a disabled group is hidden and cannot be mentioned until it is enabled again', async () => {
  const { client, sandbox, outcome } = await startApp({ ...needs, events: [] });
  await client.usergroups.disable({ usergroup: 'S0ONCALL' });
  const shown = async (include_disabled: boolean) =>
    (await client.usergroups.list({ include_disabled })).usergroups?.map(({ handle }) => handle);
  expect(await shown(false)).toEqual(['release']);
  expect(await shown(true)).toEqual(['on-call', 'release']);
  expect(await outcome('usergroups.users.list', { usergroup: 'S0ONCALL' })).toBe('no_such_subteam');
  await sandbox.post('message', { user: 'alice', channel: 'ops', text: '@on-call' });
  await client.usergroups.enable({ usergroup: 'S0ONCALL' });
  await sandbox.post('message', { user: 'alice', channel: 'ops', text: '@on-call' });
  const texts = (await sandbox.messages('C0OPS', 'U0ALICE')).map(({ text }) => text);
  expect(texts).toEqual(['@on-call', expect.stringMatching(/^<!subteam\^S0ONCALL\b/)]);
});

test('groups are refused as Slack refuses them', async () => {
  const { outcome } = await startApp(needs);
  const create = (args: object) => outcome('usergroups.create', { name: 'Fresh', ...args });
  expect(await outcome('usergroups.create', {})).toBe('missing_subteam_name');
  expect(await create({ name: 'On-call' })).toBe('handle_already_exists');
  expect(await create({ handle: 'alice' })).toBe('handle_already_exists');
  expect(await create({ handle: 'No Spaces' })).toBe('bad_handle');
  expect(await create({ channels: 'C0NONE' })).toBe('invalid_channel_provided');
  expect(await create({})).toBe('ok');
  expect(await create({ handle: 'other' })).toBe('name_already_exists');
  const setUsers = (users: string) => outcome('usergroups.users.update', { usergroup: 'S0ONCALL', users });
  expect(await setUsers('')).toBe('no_users_provided');
  expect(await setUsers('U0BOB,U0NOBODY')).toBe('invalid_users');
  expect(await outcome('usergroups.update', { usergroup: 'S0NONE', name: 'x' })).toBe('no_such_subteam');
  const without = await startApp({ scopes: [] });
  expect(await without.outcome('usergroups.create', { name: 'x' })).toBe('missing_scope');
});
