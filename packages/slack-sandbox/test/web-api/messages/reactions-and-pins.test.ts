import { expect, test } from 'vitest';
import { startApp } from '../../start-app.ts';

const reactionNeeds = {
  scopes: ['reactions:read', 'reactions:write'],
  events: ['reaction_added', 'reaction_removed', 'message.channels'],
};
const channel = 'C0GENERAL';

async function postOne(client: Awaited<ReturnType<typeof startApp>>['client']): Promise<string> {
  return (await client.chat.postMessage({ channel, text: 'hello' })).ts ?? '';
}

test('a reaction is shown at its message, listed, and sent as an event', async () => {
  const { client, events } = await startApp(reactionNeeds);
  const timestamp = await postOne(client);
  await client.reactions.add({ channel, timestamp, name: 'eyes' });
  const { message } = await client.reactions.get({ channel, timestamp });
  expect(message?.reactions).toEqual([{ name: 'eyes', users: ['U0APPACME'], count: 1 }]);
  expect((await client.reactions.list({})).items).toMatchObject([{ channel, message: { ts: timestamp } }]);
  await client.reactions.remove({ channel, timestamp, name: 'eyes' });
  expect((await client.conversations.history({ channel })).messages?.[0]).not.toHaveProperty('reactions');
  const item = { type: 'message', channel, ts: timestamp };
  const common = { user: 'U0APPACME', reaction: 'eyes', item, item_user: 'U0APPACME' };
  expect(await events()).toMatchObject([
    { type: 'message', text: 'hello' },
    { type: 'reaction_added', ...common },
    { type: 'reaction_removed', ...common },
  ]);
});

test('reactions are refused as Slack refuses them', async () => {
  const { client, outcome } = await startApp(reactionNeeds);
  const timestamp = await postOne(client);
  const add = (args: object) => outcome('reactions.add', { channel, timestamp, name: 'eyes', ...args });
  expect(await add({})).toBe('ok');
  expect(await add({})).toBe('already_reacted');
  expect(await add({ name: ':eyes:' })).toBe('invalid_name');
  expect(await add({ timestamp: 'yesterday' })).toBe('bad_timestamp');
  expect(await add({ timestamp: '1.000001' })).toBe('message_not_found');
  expect(await add({ channel: 'C0NOWHERE' })).toBe('channel_not_found');
  expect(await add({ channel: 'C0QUIET', timestamp: '1.000001' })).toBe('message_not_found');
  expect(await outcome('reactions.add', { name: 'eyes' })).toBe('no_item_specified');
  expect(await outcome('reactions.remove', { channel, timestamp, name: 'wave' })).toBe('no_reaction');
  const without = await startApp({ scopes: ['reactions:read'] });
  expect(await without.outcome('reactions.add', { channel, timestamp, name: 'eyes' })).toBe('missing_scope');
});

test('a message has at most 23 emoji of one person', async () => {
  const { client, outcome, sandbox } = await startApp(reactionNeeds);
  const timestamp = await postOne(client);
  for (let index = 0; index < 23; index += 1) {
    expect(await outcome('reactions.add', { channel, timestamp, name: `emoji_${index}` })).toBe('ok');
  }
  await sandbox.advance(60_000);
  expect(await outcome('reactions.add', { channel, timestamp, name: 'one_more' })).toBe('too_many_reactions');
});

test('pins are listed newest first, and sent as events', async () => {
  const { client, events, outcome } = await startApp({
    scopes: ['pins:read', 'pins:write'],
    events: ['pin_added', 'pin_removed'],
  });
  const [first, second] = [await postOne(client), await postOne(client)];
  await client.pins.add({ channel, timestamp: first });
  await client.pins.add({ channel, timestamp: second });
  const { items } = await client.pins.list({ channel });
  expect(items).toMatchObject([
    { message: { ts: second, pinned_to: [channel] } },
    { message: { ts: first } },
  ]);
  expect(await outcome('pins.add', { channel, timestamp: first })).toBe('already_pinned');
  expect(await outcome('pins.add', { channel })).toBe('no_item_specified');
  expect(await outcome('pins.list', { channel: 'C0QUIET' })).toBe('restricted_action');
  expect((await client.conversations.history({ channel })).pin_count).toBe(2);
  await client.pins.remove({ channel, timestamp: first });
  expect(await outcome('pins.remove', { channel, timestamp: first })).toBe('no_pin');
  expect(await events()).toMatchObject([
    { type: 'pin_added', channel_id: channel, pin_count: 1 },
    { type: 'pin_added', pin_count: 2 },
    { type: 'pin_removed', pin_count: 1, has_pins: true },
  ]);
});
