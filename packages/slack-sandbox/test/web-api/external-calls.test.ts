import { expect, test } from 'vitest';
import { startApp } from '../start-app.ts';

const scopes = ['calls:read', 'calls:write'];
const facts = { external_unique_id: 'meeting-1', join_url: 'https://meet.example/1', created_by: 'U0ALICE' };
const guest = { external_id: 'guest-1', display_name: 'Guest' };

test('a call is registered, joined, left, renamed and ended', async () => {
  const { client, outcome } = await startApp({ scopes });
  const { call } = await client.calls.add({ ...facts, title: 'Review', users: [{ slack_id: 'U0ALICE' }] });
  const id = call?.id ?? '';
  await client.calls.participants.add({ id, users: [{ slack_id: 'U0BOB' }, guest] });
  await client.calls.participants.remove({ id, users: [{ slack_id: 'U0ALICE' }] });
  await client.calls.update({ id, title: 'Retrospective' });
  expect((await client.calls.info({ id })).call).toMatchObject({
    ...{ id, title: 'Retrospective', join_url: facts.join_url, external_unique_id: 'meeting-1' },
    users: [{ slack_id: 'U0BOB' }, guest],
  });
  expect(await outcome('calls.end', { id })).toBe('ok');
  expect(await outcome('calls.end', { id })).toBe('inactive_call');
  expect(await outcome('calls.participants.add', { id, users: '[]' })).toBe('inactive_call');
});

test('calls are refused as Slack refuses them', async () => {
  const { outcome, client } = await startApp({ scopes });
  const add = (more: object) => outcome('calls.add', { ...facts, ...more });
  expect(await add({ created_by: 'U0NOBODY' })).toBe('invalid_created_by');
  expect(await add({ users: '[{"slack_id":"U0NOBODY"}]' })).toBe('user_not_found');
  expect(await outcome('calls.info', { id: 'R0' })).toBe('invalid_call_id');
  const { call } = await client.calls.add({ ...facts, users: [guest] });
  const again = { id: call?.id ?? '', users: JSON.stringify([guest]) };
  expect(await outcome('calls.participants.add', again)).toBe('bad_users');
  const without = await startApp({ scopes: ['calls:read'] });
  expect(await without.outcome('calls.add', facts)).toBe('missing_scope');
});
