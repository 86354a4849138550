import { expect, test } from 'vitest';
import { startApp } from '../../start-app.ts';

test('a person is reminded when it is time', async () => {
  const { alice, client, sandbox } = await startApp({
    scopes: [],
    userScopes: ['reminders:read', 'reminders:write'],
  });
  const { reminder } = await alice.reminders.add({ text: 'water the plants', time: 'in 5 minutes' });
  expect(reminder).toMatchObject({ creator: 'U0ALICE', recurring: false, complete_ts: 0 });
  const later = await alice.reminders.add({ text: 'later', time: '600' });
  const last = await alice.reminders.add({ text: 'last', time: '700' });
  await alice.reminders.complete({ reminder: later.reminder?.id ?? '' });
  await alice.reminders.delete({ reminder: last.reminder?.id ?? '' });
  await sandbox.advance(1_000_000);
  expect((await sandbox.messages('D0ALICE', 'U0ALICE')).map(({ text }) => text)).toEqual([
    'Reminder: water the plants.',
  ]);
  expect((await alice.reminders.list()).reminders).toHaveLength(2);
  expect(
    (await alice.reminders.info({ reminder: later.reminder?.id ?? '' })).reminder?.complete_ts,
  ).toBeGreaterThan(0);
  await expect(alice.reminders.info({ reminder: 'Rm0' })).rejects.toThrow('not_found');
  await expect(alice.reminders.add({ text: 'x', time: 'soon' })).rejects.toThrow('cannot_parse');
  await expect(alice.reminders.add({ text: 'x', time: '60', user: 'U0BOB' })).rejects.toThrow(
    'cannot_add_others',
  );
  await expect(client.reminders.list()).rejects.toThrow('not_allowed_token_type');
});

test('a person saves messages for later', async () => {
  const { alice, client, events } = await startApp({
    scopes: [],
    userScopes: ['stars:read', 'stars:write'],
    userEvents: ['star_added', 'star_removed'],
  });
  const { ts = '' } = await client.chat.postMessage({ channel: 'C0GENERAL', text: 'keep me' });
  const item = { channel: 'C0GENERAL', timestamp: ts };
  await alice.stars.add(item);
  await expect(alice.stars.add(item)).rejects.toThrow('already_starred');
  expect((await alice.stars.list({})).items).toMatchObject([
    { type: 'message', message: { text: 'keep me' } },
  ]);
  await alice.stars.remove(item);
  await expect(alice.stars.remove(item)).rejects.toThrow('not_starred');
  expect((await alice.stars.list({})).items).toEqual([]);
  expect(await events()).toMatchObject([{ type: 'star_added' }, { type: 'star_removed', user: 'U0ALICE' }]);
});

test('a person finds messages and files that they can read', async () => {
  const { alice, sandbox } = await startApp({ scopes: [], userScopes: ['search:read'] });
  for (const [user, channel, text] of [
    ['U0BOB', 'C0GENERAL', 'the deploy failed'],
    ['U0CAROL', 'C0GENERAL', 'the deploy is fine'],
    ['U0BOB', 'D0BOB', 'a secret deploy'],
  ]) {
    await sandbox.post('message', { user, channel, text });
  }
  const texts = async (query: string) =>
    (await alice.search.messages({ query })).messages?.matches?.map(({ text }) => text);
  expect(await texts('deploy')).toEqual(['the deploy is fine', 'the deploy failed']);
  expect(await texts('deploy from:@bob')).toEqual(['the deploy failed']);
  expect(await texts('deploy in:#quiet')).toEqual([]);
  expect(await texts('"deploy is"')).toEqual(['the deploy is fine']);
  const all = await alice.search.all({ query: 'failed', count: 1 });
  expect(all.messages).toMatchObject({ total: 1, pagination: { page_count: 1, first: 1, last: 1 } });
  expect((await alice.search.files({ query: 'log' })).files).toMatchObject({ total: 0, matches: [] });
  await expect(alice.search.messages({ query: '' })).rejects.toThrow('no_query');
});

test('a person joins and leaves a group, and only their own app hears of it as theirs', async () => {
  const { client, events } = await startApp({
    scopes: ['usergroups:write'],
    userScopes: ['usergroups:read'],
    userEvents: ['subteam_self_added', 'subteam_self_removed'],
  });
  await client.usergroups.users.update({ usergroup: 'S0RELEASE', users: 'U0ALICE,U0CAROL' });
  await client.usergroups.users.update({ usergroup: 'S0RELEASE', users: 'U0CAROL' });
  expect(await events()).toMatchObject([
    { type: 'subteam_self_added', subteam_id: 'S0RELEASE' },
    { type: 'subteam_self_removed', subteam_id: 'S0RELEASE' },
  ]);
});

test('the app asks in whose names it could see an event', async () => {
  const { sandbox, client } = await startApp({
    scopes: [],
    userScopes: ['channels:history'],
    userEvents: ['message.channels'],
  });
  await sandbox.post('message', { user: 'U0BOB', channel: 'C0QUIET', text: 'psst' });
  const [sent] = (await sandbox.traffic()).filter(({ kind }) => kind === 'events_api');
  const event_context = String(sent?.payload.event_context);
  const app = sandbox.client('xapp-sandbox');
  const { authorizations } = await app.apps.event.authorizations.list({ event_context });
  expect(authorizations).toMatchObject([
    { user_id: 'U0APPACME', is_bot: true },
    { user_id: 'U0ALICE', is_bot: false },
  ]);
  await expect(app.apps.event.authorizations.list({ event_context: 'x' })).rejects.toThrow(
    'invalid_event_context',
  );
  await expect(client.apps.event.authorizations.list({ event_context })).rejects.toThrow(
    'not_allowed_token_type',
  );
});
