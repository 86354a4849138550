import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startApp } from '../start-app.ts';

const answerSchema = z.looseObject({ ok: z.boolean(), errors: z.array(z.string()).optional() });
const plain = { type: 'plain_text', text: 'A & B' };

/** Calls a method as an app does that uses no SDK, and returns the whole answer. */
async function callDirectly(url: string, method: string, body: object) {
  const response = await fetch(`${url}/api/${method}`, {
    method: 'POST',
    headers: { authorization: 'Bearer xoxb-sandbox-acme', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answerSchema.parse(await response.json());
}

test('text with markup is stored with entities, except those of mentions, links and dates', async () => {
  const { client } = await startApp({ scopes: [] });
  const text = 'a < b & c > d &amp; <@U0BOB> <!date^1^{date}|x> <https://example.com/?a=1&b=2|R&D> <b>';
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }];
  const { message } = await client.chat.postMessage({ channel: 'C0OPS', text, blocks });
  const stored =
    'a &lt; b &amp; c &gt; d &amp; <@U0BOB> <!date^1^{date}|x> <https://example.com/?a=1&amp;b=2|R&amp;D> &lt;b&gt;';
  expect(message).toMatchObject({ text: stored, blocks: [{ text: { text: stored, verbatim: false } }] });
});

test('a URL is stored as a link, except in code, in verbatim text, and without the punctuation after it', async () => {
  const { client } = await startApp({ scopes: [] });
  const text =
    'see https://example.com/a?b=1&c=2. (*http://example.com*) `curl https://example.com` <https://example.com|it>';
  const blocks = [
    { type: 'section', text: { type: 'mrkdwn', text } },
    { type: 'section', text: { type: 'mrkdwn', text: 'see https://example.com', verbatim: true } },
  ];
  const { message } = await client.chat.postMessage({ channel: 'C0OPS', text, blocks });
  const stored =
    'see <https://example.com/a?b=1&amp;c=2>. (*<http://example.com>*) `curl https://example.com` <https://example.com|it>';
  expect(message).toMatchObject({
    text: stored,
    blocks: [{ text: { text: stored } }, { text: { text: 'see https://example.com' } }],
  });
});

describe('a message that has only text', () => {
  const richText = (...elements: object[]) => [{ type: 'rich_text', block_id: expect.any(String), elements }];
  const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });

  test('gets blocks with its text, which an update replaces', async () => {
    const { client } = await startApp({ scopes: [] });
    const { ts = '', message } = await client.chat.postMessage({ channel: 'C0OPS', text: 'one' });
    expect(message?.blocks).toEqual(richText(section({ type: 'text', text: 'one' })));
    const updated = await client.chat.update({ channel: 'C0OPS', ts, text: 'two' });
    expect(updated.message?.blocks).toEqual(richText(section({ type: 'text', text: 'two' })));
    const blocks = [{ type: 'divider', block_id: 'own' }];
    await client.chat.update({ channel: 'C0OPS', ts, blocks });
    const kept = await client.chat.update({ channel: 'C0OPS', ts, text: 'three' });
    expect(kept.message).toMatchObject({ text: 'three', blocks });
  });

  test('gets styles, mentions, links, emoji, quotes and code from its markup', async () => {
    const { client } = await startApp({ scopes: [] });
    const text =
      '*a & _b_* :tada: at 10:30:00\n<@U0BOB> <!here> <#C0OPS> <!subteam^S0ONCALL> https://example.com `x` ' +
      '<!date^1700000000^{date}|then>\n> said\n```\ncode :tada:\n```';
    const { message } = await client.chat.postMessage({ channel: 'C0OPS', text });
    const space = { type: 'text', text: ' ' };
    expect(message?.blocks).toEqual(
      richText(
        section(
          { type: 'text', text: 'a & ', style: { bold: true } },
          { type: 'text', text: 'b', style: { bold: true, italic: true } },
          space,
          { type: 'emoji', name: 'tada' },
          { type: 'text', text: ' at 10:30:00\n' },
          { type: 'user', user_id: 'U0BOB' },
          space,
          { type: 'broadcast', range: 'here' },
          space,
          { type: 'channel', channel_id: 'C0OPS' },
          space,
          { type: 'usergroup', usergroup_id: 'S0ONCALL' },
          space,
          { type: 'link', url: 'https://example.com' },
          space,
          { type: 'text', text: 'x', style: { code: true } },
          space,
          { type: 'date', timestamp: 1_700_000_000, format: '{date}', fallback: 'then' },
        ),
        { type: 'rich_text_quote', elements: [{ type: 'text', text: 'said' }] },
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'code :tada:' }] },
      ),
    );
  });

  test('but a message with attachments gets none', async () => {
    const { client } = await startApp({ scopes: [] });
    const { message } = await client.chat.postMessage({
      channel: 'C0OPS',
      text: 'one',
      attachments: [{ text: 'two' }],
    });
    expect(message?.blocks).toBeUndefined();
  });
});

test('plain text has entities in messages and emoji everywhere, unless the app turned emoji off', async () => {
  const { client, sandbox } = await startApp({ scopes: [] });
  const blocks = [
    { type: 'header', text: plain },
    { type: 'section', text: { ...plain, emoji: false } },
  ];
  const { message } = await client.chat.postMessage({ channel: 'C0OPS', text: 'x', blocks });
  expect(message?.blocks).toMatchObject([
    { text: { text: 'A &amp; B', emoji: true } },
    { text: { emoji: false } },
  ]);
  const { trigger_id } = await sandbox.post('shortcut', { user: 'alice', callback_id: 'make' });
  const { view } = await client.views.open({
    trigger_id: String(trigger_id),
    view: { type: 'modal', title: { type: 'plain_text', text: 'A & B' }, blocks: [] },
  });
  expect(view?.title).toEqual({ type: 'plain_text', text: 'A & B', emoji: true });
});

test('a refusal of blocks names what is wrong in errors too', async () => {
  const { sandbox } = await startApp({ scopes: [] });
  const blocks = [{ type: 'header' }];
  expect(await callDirectly(sandbox.url, 'chat.postMessage', { channel: 'C0OPS', blocks })).toMatchObject({
    ok: false,
    error: 'invalid_blocks',
    errors: ['missing required field: text [json-pointer:/blocks/0]'],
    response_metadata: {
      messages: ['[ERROR] missing required field: text [json-pointer:/blocks/0]'],
    },
  });
});

describe('an image that Slack cannot load is refused:', () => {
  const image = (image_url: string) => ({ type: 'image', image_url, alt_text: 'Graph' });

  test.each([
    'http://localhost:3000/a.png',
    'http://127.0.0.1/a.png',
    'http://192.168.1.4/a.png',
    'http://[::1]/a.png',
    'http://grafana/a.png',
    'https://grafana.internal/a.png',
  ])('%s', async (url) => {
    const { sandbox, outcome } = await startApp({ scopes: [] });
    const blocks = [{ type: 'context', elements: [image(url)] }];
    expect(await callDirectly(sandbox.url, 'chat.postMessage', { channel: 'C0OPS', blocks })).toMatchObject({
      error: 'invalid_blocks',
      errors: ['downloading image failed [json-pointer:/blocks/0/elements/0/image_url]'],
    });
    const view = JSON.stringify({ type: 'home', blocks });
    expect(await outcome('views.publish', { user_id: 'U0ALICE', view })).toBe('invalid_arguments');
  });

  test('but not one on the internet, or an avatar of the sandbox', async () => {
    const { sandbox, client, outcome } = await startApp({ scopes: [] });
    const { user } = await client.users.info({ user: 'U0ALICE' });
    const avatar = user?.profile?.image_72 ?? '';
    for (const url of ['https://example.com/a.png', 'http://93.184.216.34/a.png', avatar]) {
      const blocks = JSON.stringify([image(url)]);
      expect(await outcome('chat.postMessage', { channel: 'C0OPS', blocks })).toBe('ok');
    }
    const loaded = await fetch(avatar);
    expect(loaded.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await loaded.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect((await fetch(`${sandbox.url}/avatars/U0ALICE-5000.png`)).status).toBe(404);
  });
});

test('messages and bots have icons, and people have avatars in every size', async () => {
  const { client } = await startApp({ scopes: [] });
  const icons = { image_36: expect.any(String), image_48: expect.any(String), image_72: expect.any(String) };
  const { message } = await client.chat.postMessage({ channel: 'C0OPS', text: 'hi' });
  expect(message?.bot_profile?.icons).toEqual(icons);
  expect((await client.bots.info({ bot: 'B0ACME' })).bot?.icons).toEqual(icons);
  const { user } = await client.users.info({ user: 'U0BOB' });
  const sizes = ['image_24', 'image_32', 'image_48', 'image_72', 'image_192', 'image_512'];
  expect(Object.keys(user?.profile ?? {})).toEqual(expect.arrayContaining([...sizes, 'avatar_hash']));
  expect(user).toMatchObject({ name: 'bob', real_name: 'Bob Brown' });
  expect(user?.profile).toMatchObject({ display_name: 'bob', first_name: 'Bob', last_name: 'Brown' });
});

test('who joins or leaves a channel is noted there', async () => {
  const { client, events } = await startApp({
    scopes: ['channels:manage', 'groups:write', 'groups:history', 'groups:read'],
    events: ['message.channels', 'message.groups', 'member_joined_channel'],
  });
  await client.conversations.join({ channel: 'C0QUIET' });
  await client.conversations.leave({ channel: 'C0QUIET' });
  const { channel } = await client.conversations.create({ name: 'plans', is_private: true });
  await client.conversations.invite({ channel: channel?.id ?? '', users: 'U0BOB' });
  expect(await events()).toMatchObject([
    { subtype: 'channel_join', user: 'U0APPACME', text: '<@U0APPACME> has joined the channel' },
    { type: 'member_joined_channel', user: 'U0APPACME' },
    { subtype: 'channel_leave', user: 'U0APPACME', text: '<@U0APPACME> has left the channel' },
    { subtype: 'group_join', user: 'U0BOB', inviter: 'U0APPACME' },
    { type: 'member_joined_channel', user: 'U0BOB', inviter: 'U0APPACME' },
  ]);
});

test('people are mentioned by their full names, with spaces and punctuation', async () => {
  const { sandbox } = await startApp({ scopes: [] });
  await sandbox.post('person', { name: 'sean', real_name: "Seán O'Brien (ops)" });
  await sandbox.post('message', {
    user: 'alice',
    channel: 'ops',
    text: "Ask @Seán O'Brien (ops), or @bob brown",
  });
  const [message] = await sandbox.messages('C0OPS', 'U0ALICE');
  expect(message?.text).toMatch(/^Ask <@U0\w+>, or <@U0BOB>$/);
});
