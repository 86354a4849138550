import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fullManifest, startSandbox } from '../harness.ts';

const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

describe('chat.postMessage', () => {
  test('posts as the app, visible to everyone in the channel', async () => {
    const sandbox = await startSandbox();
    const { ts, message } = await sandbox.client().chat.postMessage({ channel: '#ops', text: 'Hi' });
    expect(message).toMatchObject({
      user: 'U0APPACME',
      bot_id: 'B0ACME',
      app_id: 'A0SANDBOX',
      team: 'T0ACME',
    });
    expect(await sandbox.messages('C0OPS', 'U0BOB')).toMatchObject([{ ts, text: 'Hi', pings: [] }]);
  });

  test.each([
    ['nothing to say', { channel: 'C0OPS', text: '' }, 'no_text'],
    ['an unknown channel', { channel: 'C0NONE', text: 'Hi' }, 'channel_not_found'],
    ['a channel without the app', { channel: 'C0QUIET', text: 'Hi' }, 'not_in_channel'],
    [
      'a thread that is not there',
      { channel: 'C0OPS', text: 'Hi', thread_ts: '1.000000' },
      'cannot_reply_to_message',
    ],
    ['blocks that are no list', { channel: 'C0OPS', text: 'Hi', blocks: '{}' }, 'invalid_blocks_format'],
    ['markdown beside text', { channel: 'C0OPS', text: 'Hi', markdown_text: 'Hi' }, 'markdown_text_conflict'],
    [
      'bad metadata',
      { channel: 'C0OPS', text: 'Hi', metadata: '{"event_type":1}' },
      'invalid_metadata_format',
    ],
    [
      '101 attachments',
      { channel: 'C0OPS', text: 'Hi', attachments: Array(101).fill({}) },
      'too_many_attachments',
    ],
  ])('rejects %s', async (_what, args, error) => {
    const sandbox = await startSandbox();
    await expect(sandbox.client().apiCall('chat.postMessage', args)).rejects.toThrow(error);
  });

  test('rejects blocks over a limit, and names the place', async () => {
    const sandbox = await startSandbox();
    const blocks = [section('fine'), section('x'.repeat(3001))];
    const posted = sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hi', blocks });
    await expect(posted).rejects.toMatchObject({
      data: {
        error: 'invalid_blocks',
        response_metadata: { messages: [expect.stringContaining('[json-pointer:/blocks/1/text/text]')] },
      },
    });
  });

  test('adds IDs to blocks and elements, and warns if text is missing', async () => {
    const sandbox = await startSandbox();
    const button = { type: 'button' as const, text: { type: 'plain_text' as const, text: 'Go' } };
    const blocks = [{ type: 'actions' as const, elements: [button] }];
    const { message, response_metadata } = await sandbox
      .client()
      .chat.postMessage({ channel: 'C0OPS', blocks });
    expect(message?.blocks).toMatchObject([
      { block_id: expect.any(String), elements: [{ action_id: expect.any(String) }] },
    ]);
    expect(response_metadata?.warnings).toEqual(['missing_text_in_message']);
  });

  test('cuts text at 40,000 characters with a warning', async () => {
    const sandbox = await startSandbox();
    const text = 'x'.repeat(40_001);
    const { message, response_metadata } = await sandbox
      .client()
      .chat.postMessage({ channel: 'C0OPS', text });
    expect(message?.text).toHaveLength(40_000);
    expect(response_metadata?.warnings).toEqual(['message_truncated']);
  });

  test('can post where the app is not a member, with chat:write.public', async () => {
    const bot = [...fullManifest.oauth_config.scopes.bot, 'chat:write.public'];
    const sandbox = await startSandbox({ manifest: { ...fullManifest, oauth_config: { scopes: { bot } } } });
    const posted = sandbox.client().chat.postMessage({ channel: 'C0QUIET', text: 'Hi' });
    await expect(posted).resolves.toMatchObject({ ok: true });
  });

  test('to a person posts in their direct messages, unless the messages tab is off', async () => {
    const sandbox = await startSandbox();
    const posted = await sandbox.client().chat.postMessage({ channel: 'U0BOB', text: 'Psst' });
    expect(posted.channel).toBe('D0BOB');
    expect(await sandbox.messages('U0BOB', 'U0BOB')).toMatchObject([{ text: 'Psst' }]);
    const app_home = { messages_tab_enabled: false };
    const features = { ...fullManifest.features, app_home };
    const without = await startSandbox({ manifest: { ...fullManifest, features } });
    const refused = without.client().chat.postMessage({ channel: 'U0BOB', text: 'Psst' });
    await expect(refused).rejects.toThrow('messages_tab_disabled');
  });

  test('to an archived channel is rejected', async () => {
    const sandbox = await startSandbox();
    await sandbox.post('slash', { user: 'U0ALICE', channel: 'C0OPS', command: '/archive' });
    const posted = sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Hi' });
    await expect(posted).rejects.toThrow('is_archived');
  });
});

describe('threads', () => {
  test('count their replies, and only a broadcast reply is in the history', async () => {
    const sandbox = await startSandbox();
    const { chat, conversations } = sandbox.client();
    const { ts: thread_ts = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'Parent' });
    await chat.postMessage({ channel: 'C0OPS', text: 'Reply', thread_ts });
    await chat.postMessage({ channel: 'C0OPS', text: 'Loud', thread_ts, reply_broadcast: true });
    const { messages: history = [] } = await conversations.history({ channel: 'C0OPS' });
    expect(history.map(({ text }) => text)).toEqual(['Loud', 'Parent']);
    expect(history[1]).toMatchObject({ reply_count: 2, reply_users: ['U0APPACME'] });
    const { messages: replies = [] } = await conversations.replies({ channel: 'C0OPS', ts: thread_ts });
    expect(replies.map(({ text }) => text)).toEqual(['Parent', 'Reply', 'Loud']);
    expect(replies[1]).toMatchObject({ thread_ts, parent_user_id: 'U0APPACME' });
  });

  test('get replies to replies too', async () => {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const { ts: thread_ts = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'Parent' });
    const { ts: reply = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'Reply', thread_ts });
    const nested = chat.postMessage({ channel: 'C0OPS', text: 'Nested', thread_ts: reply });
    expect((await nested).message).toMatchObject({ thread_ts });
  });

  test('keep a placeholder if the parent was deleted', async () => {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const { ts: thread_ts = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'Parent' });
    await chat.postMessage({ channel: 'C0OPS', text: 'Reply', thread_ts });
    await chat.delete({ channel: 'C0OPS', ts: thread_ts });
    expect(await sandbox.messages('C0OPS', 'U0BOB')).toMatchObject([
      { subtype: 'tombstone' },
      { text: 'Reply' },
    ]);
    await expect(chat.update({ channel: 'C0OPS', ts: thread_ts, text: 'Back' })).rejects.toThrow(
      'message_not_found',
    );
  });
});

describe('chat.update', () => {
  test('replaces the given fields and keeps the others; an empty list removes blocks', async () => {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const metadata = { event_type: 'run', event_payload: { id: '1' } };
    const blocks = [section('one')];
    const { ts = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'One', blocks, metadata });
    await chat.update({ channel: 'C0OPS', ts, text: 'Two' });
    const [kept] = await sandbox.messages('C0OPS', 'U0BOB');
    expect(kept).toMatchObject({
      text: 'Two',
      blocks: [section('one')],
      metadata,
      edited: { user: 'U0APPACME' },
    });
    await chat.update({ channel: 'C0OPS', ts, text: 'Three', blocks: [] });
    const [removed] = await sandbox.messages('C0OPS', 'U0BOB');
    expect(removed).toMatchObject({ text: 'Three', metadata });
    expect(removed?.blocks).toMatchObject([{ type: 'rich_text' }]);
    await expect(chat.update({ channel: 'C0OPS', ts, text: '' })).rejects.toThrow('no_text');
  });

  test('accepts 4,000 characters of text', async () => {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const { ts = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'One' });
    const update = (length: number) => chat.update({ channel: 'C0OPS', ts, text: 'x'.repeat(length) });
    await expect(update(4000)).resolves.toMatchObject({ ok: true });
    await expect(update(4001)).rejects.toThrow('msg_too_long');
  });

  test("cannot change another author's message, and neither can chat.delete", async () => {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const { ts } = await sandbox.post('message', { user: 'U0BOB', channel: 'C0OPS', text: 'Mine' });
    const args = { channel: 'C0OPS', ts: String(ts) };
    await expect(chat.update({ ...args, text: 'Yours' })).rejects.toThrow('cant_update_message');
    await expect(chat.delete(args)).rejects.toThrow('cant_delete_message');
    await expect(chat.delete({ ...args, ts: '1.000000' })).rejects.toThrow('message_not_found');
  });
});

describe('chat.postEphemeral', () => {
  test('shows a message to one person until they reload, and cannot be changed', async () => {
    const sandbox = await startSandbox();
    const { chat } = sandbox.client();
    const { message_ts: ts = '' } = await chat.postEphemeral({
      channel: 'C0OPS',
      user: 'U0BOB',
      text: 'Psst',
    });
    expect(await sandbox.messages('C0OPS', 'U0BOB')).toMatchObject([{ ts, text: 'Psst', ephemeral: true }]);
    expect(await sandbox.messages('C0OPS', 'U0ALICE')).toEqual([]);
    await expect(chat.update({ channel: 'C0OPS', ts, text: 'Loud' })).rejects.toThrow('message_not_found');
    await expect(chat.delete({ channel: 'C0OPS', ts })).rejects.toThrow('message_not_found');
    const reloaded = await sandbox.get('messages', { channel: 'C0OPS', user: 'U0BOB', reload: 'true' });
    expect(reloaded).toEqual({ messages: [] });
  });

  test.each([
    ['someone who is not there', 'C0GENERAL', 'U0ERIN', 'user_not_in_channel'],
    ['a channel without the app', 'C0QUIET', 'U0BOB', 'not_in_channel'],
    ['an unknown channel', 'C0NONE', 'U0BOB', 'channel_not_found'],
  ])('rejects %s', async (_what, channel, user, error) => {
    const sandbox = await startSandbox();
    await expect(sandbox.client().chat.postEphemeral({ channel, user, text: 'Hi' })).rejects.toThrow(error);
  });
});

test('a permalink contains channel, message and thread', async () => {
  const sandbox = await startSandbox();
  const { chat } = sandbox.client();
  const { ts: parent = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'Parent' });
  const { ts = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'Reply', thread_ts: parent });
  const { permalink } = await chat.getPermalink({ channel: 'C0OPS', message_ts: ts });
  const path = `archives/C0OPS/p${ts.replace('.', '')}?thread_ts=${parent}&cid=C0OPS`;
  expect(permalink).toBe(`https://acme.slack.com/${path}`);
});

test('permalinks of channels, messages, direct messages and files open on the page', async () => {
  const sandbox = await startSandbox({ now: Date.now });
  const { chat, conversations } = sandbox.client();
  const target = async (permalink: string | undefined) => {
    const { pathname, search } = new URL(permalink ?? '');
    const response = await fetch(`${sandbox.url}${pathname}${search}`, { redirect: 'manual' });
    return response.headers.get('location') ?? response.status;
  };
  const post = async (channel: string, thread_ts?: string) =>
    (await chat.postMessage({ channel, text: 'hi', ...(thread_ts && { thread_ts }) })).ts ?? '';
  const link = async (channel: string, message_ts: string) =>
    (await chat.getPermalink({ channel, message_ts })).permalink;
  const root = await post('C0OPS');
  const reply = await post('C0OPS', root);
  await conversations.open({ users: 'U0BOB' });
  const direct = await post('D0BOB');
  expect(await target(await link('C0OPS', root))).toBe(`/#T0ACME//C0OPS/p${root}`);
  expect(await target(await link('C0OPS', reply))).toBe(`/#T0ACME//C0OPS/${root}/p${reply}`);
  expect(await target(await link('D0BOB', direct))).toBe(`/#T0ACME/U0BOB/U0BOB/p${direct}`);
  expect(await target('https://globex.slack.com/archives/C0GLOBEX')).toBe('/#T0GLOBEX//C0GLOBEX');
  expect(await target('https://slack.com/app_redirect?channel=C0OPS')).toBe('/#T0ACME//C0OPS');
  expect(await target('https://acme.slack.com/archives/C0NOWHERE')).toBe(404);
  const file = { channel_id: 'C0OPS', filename: 'a.txt', content: 'a' };
  const uploaded = await sandbox.client().files.uploadV2(file);
  const permalink = z
    .object({ files: z.array(z.object({ files: z.array(z.object({ permalink: z.string() })) })) })
    .parse(uploaded).files[0]?.files[0]?.permalink;
  await expect.poll(() => target(permalink)).toMatch(/^\/#T0ACME\/\/C0OPS\/p/);
});

test('chat.postEphemeral ignores metadata', async () => {
  const sandbox = await startSandbox();
  const answer = await sandbox
    .client()
    .apiCall('chat.postEphemeral', { channel: 'C0OPS', user: 'U0BOB', text: 'hi', metadata: '[' });
  expect(answer).toMatchObject({ ok: true });
});
