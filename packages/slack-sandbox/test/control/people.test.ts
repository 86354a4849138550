import { expect, test } from 'vitest';
import { startApp } from '../start-app.ts';

test('people join, change and leave, and the app hears of it', async () => {
  const { sandbox, client, events } = await startApp({ scopes: [], events: ['team_join', 'user_change'] });
  const { id } = await sandbox.post('person', { name: 'zoe', real_name: 'Zoe Zhou' });
  await sandbox.post('person', { name: 'zoe', real_name: 'Zoe Zimmer', role: 'guest' });
  expect(id).toMatch(/^U[A-Z0-9]{8,}$/);
  expect((await client.users.info({ user: String(id) })).user).toMatchObject({
    real_name: 'Zoe Zimmer',
    is_restricted: true,
    deleted: false,
  });
  await sandbox.post('person', { name: 'zoe', role: 'deactivated' });
  expect((await client.users.info({ user: String(id) })).user).toMatchObject({ deleted: true });
  expect(await events()).toMatchObject([
    { type: 'team_join', user: { id, name: 'zoe', real_name: 'Zoe Zhou' } },
    { type: 'user_change', user: { id, real_name: 'Zoe Zimmer' } },
    { type: 'user_change', user: { id, deleted: true } },
  ]);
  await expect(sandbox.post('person', { name: 'No Good' })).rejects.toThrow('name: must be lowercase');
});

test('a reset restores the people', async () => {
  const { sandbox, outcome } = await startApp({ scopes: [] });
  const { id } = await sandbox.post('person', { name: 'zoe' });
  await sandbox.post('reset');
  expect(await outcome('users.info', { user: id })).toBe('user_not_found');
});

test('people change the workspace, its channels and calls, and the app hears of it', async () => {
  const { sandbox, client, events } = await startApp({
    scopes: ['calls:write', 'groups:read'],
    events: [
      ...['call_rejected', 'channel_deleted', 'channel_shared', 'channel_unshared', 'email_domain_changed'],
      ...['im_close', 'im_created', 'im_open', 'team_domain_change', 'team_rename'],
    ],
  });
  await sandbox.post('workspace', { name: 'Acme Two', domain: 'acme-two', email_domain: 'acme.example' });
  expect((await client.team.info()).team).toMatchObject({ name: 'Acme Two', email_domain: 'acme.example' });
  const owner = { user: 'U0ALICE', channel: 'C0QUIET' };
  await sandbox.post('share-channel', { ...owner, with: 'T0OTHER' });
  await sandbox.post('share-channel', { ...owner, with: 'T0OTHER', shared: false });
  await sandbox.post('delete-channel', owner);
  await expect(client.conversations.info({ channel: 'C0QUIET' })).rejects.toThrow('channel_not_found');
  const bob = { user: 'U0BOB', channel: 'C0OPS' };
  await expect(sandbox.post('delete-channel', bob)).rejects.toThrow('Only owners can delete channels');
  const { call } = await client.calls.add({
    external_unique_id: 'x1',
    join_url: 'https://calls.example/1',
    created_by: 'U0BOB',
  });
  await sandbox.post('reject-call', { ...bob, call: call?.id });
  const direct = await client.conversations.open({ users: 'U0CAROL' });
  await client.conversations.close({ channel: direct.channel?.id ?? '' });
  expect(await events()).toMatchObject([
    { type: 'team_rename', name: 'Acme Two' },
    { type: 'team_domain_change', domain: 'acme-two' },
    { type: 'email_domain_changed', email_domain: 'acme.example' },
    { type: 'channel_shared', channel: 'C0QUIET', connected_team_id: 'T0OTHER' },
    { type: 'channel_unshared', previously_connected_team_id: 'T0OTHER', is_ext_shared: false },
    { type: 'channel_deleted', channel: 'C0QUIET', actor_id: 'U0ALICE' },
    { type: 'call_rejected', call_id: call?.id, user_id: 'U0BOB', external_unique_id: 'x1' },
    { type: 'im_created', user: 'U0CAROL' },
    { type: 'im_open', user: 'U0CAROL', channel: 'D0CAROL' },
    { type: 'im_close', user: 'U0CAROL' },
  ]);
  await sandbox.post('reset');
  expect((await client.team.info()).team).toMatchObject({ name: 'Acme' });
});

test('a person disables a user group, and the app hears of it', async () => {
  const { sandbox, client, events } = await startApp({
    scopes: ['usergroups:read'],
    events: ['subteam_updated'],
  });
  const change = { user: 'U0ALICE', group: 'on-call' };
  const listHandles = async () => (await client.usergroups.list()).usergroups?.map(({ handle }) => handle);
  await sandbox.post('user-group', { ...change, disabled: true });
  expect(await listHandles()).toEqual(['release']);
  await sandbox.post('user-group', { ...change, disabled: false });
  expect(await listHandles()).toEqual(['on-call', 'release']);
  expect(await events()).toMatchObject([
    { type: 'subteam_updated', subteam: { id: 'S0ONCALL', deleted_by: 'U0ALICE' } },
    { type: 'subteam_updated', subteam: { id: 'S0ONCALL', date_delete: 0 } },
  ]);
  await expect(sandbox.post('user-group', { ...change, group: 'nobody', disabled: true })).rejects.toThrow(
    'No user group is called nobody',
  );
});
