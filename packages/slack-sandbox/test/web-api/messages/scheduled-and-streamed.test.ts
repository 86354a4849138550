import { expect, test } from 'vitest';
import { startMs } from '../../harness.ts';
import { startApp } from '../../start-app.ts';

const channel = 'C0GENERAL';
const inSeconds = (seconds: number) => startMs / 1000 + seconds;

test('a scheduled message is listed until its time, and then posted', async () => {
  const { client, sandbox } = await startApp({ scopes: [] });
  const { scheduled_message_id: id } = await client.chat.scheduleMessage({
    channel,
    text: 'later',
    post_at: inSeconds(3600),
  });
  expect(await client.chat.scheduledMessages.list()).toMatchObject({
    scheduled_messages: [{ id, channel_id: channel, post_at: inSeconds(3600), text: 'later' }],
  });
  expect(await sandbox.messages(channel, 'U0ALICE')).toEqual([]);
  await sandbox.advance(3_600_000);
  expect(await sandbox.messages(channel, 'U0ALICE')).toMatchObject([{ text: 'later', user: 'U0APPACME' }]);
  expect((await client.chat.scheduledMessages.list()).scheduled_messages).toEqual([]);
});

test('a scheduled message is deleted, and a reset forgets the others', async () => {
  const { client, sandbox, outcome } = await startApp({ scopes: [] });
  const schedule = async () =>
    (await client.chat.scheduleMessage({ channel, text: 'never', post_at: inSeconds(60) }))
      .scheduled_message_id;
  const scheduled_message_id = (await schedule()) ?? '';
  await client.chat.deleteScheduledMessage({ channel, scheduled_message_id });
  expect(await outcome('chat.deleteScheduledMessage', { channel, scheduled_message_id })).toBe(
    'invalid_scheduled_message_id',
  );
  await schedule();
  await sandbox.post('reset');
  await sandbox.advance(120_000);
  expect(await sandbox.messages(channel, 'U0ALICE')).toEqual([]);
});

test('a message can be scheduled only for the next 120 days, and 30 within five minutes', async () => {
  const { outcome } = await startApp({ scopes: [] });
  const schedule = (seconds: number) =>
    outcome('chat.scheduleMessage', { channel, text: 'x', post_at: inSeconds(seconds) });
  expect(await schedule(0)).toBe('time_in_past');
  expect(await schedule(121 * 86_400)).toBe('time_too_far');
  for (let index = 0; index < 30; index += 1) expect(await schedule(60 + index)).toBe('ok');
  expect(await schedule(100)).toBe('restricted_too_many');
  expect(await schedule(1000)).toBe('ok');
});

test('a streamed message grows until it is stopped, with one event for each end', async () => {
  const { client, events, outcome } = await startApp({ scopes: [], events: ['message.channels'] });
  const thread_ts = (await client.chat.postMessage({ channel, text: 'question' })).ts ?? '';
  const recipients = { recipient_team_id: 'T0ACME', recipient_user_id: 'U0ALICE' };
  const started = await client.chat.startStream({ channel, thread_ts, markdown_text: 'One', ...recipients });
  const ts = started.ts ?? '';
  await client.chat.appendStream({ channel, ts, markdown_text: ' two' });
  await client.chat.appendStream({ channel, ts, chunks: [{ type: 'markdown_text', text: ' three' }] });
  const stopped = await client.chat.stopStream({ channel, ts, markdown_text: '.' });
  expect(stopped.message).toMatchObject({ text: 'One two three.', thread_ts, streaming_state: 'completed' });
  expect(await outcome('chat.appendStream', { channel, ts, markdown_text: 'x' })).toBe(
    'message_not_in_streaming_state',
  );
  expect((await events()).slice(1)).toMatchObject([
    { type: 'message', text: 'One', streaming_state: 'in_progress' },
    { subtype: 'message_changed', message: { text: 'One two three.' } },
  ]);
});

test('a stream is refused as Slack refuses it', async () => {
  const { client, outcome } = await startApp({ scopes: [] });
  const thread_ts = (await client.chat.postMessage({ channel, text: 'question' })).ts ?? '';
  const start = (args: object) => outcome('chat.startStream', { channel, thread_ts, ...args });
  expect(await start({})).toBe('missing_recipient_team_id');
  expect(await start({ recipient_team_id: 'T0ACME' })).toBe('missing_recipient_user_id');
  const whole = { recipient_team_id: 'T0ACME', recipient_user_id: 'U0ALICE' };
  expect(await start({ ...whole, markdown_text: 'x'.repeat(12_001) })).toBe('msg_blocks_too_long');
  expect(await start({ ...whole, thread_ts: '1.000001' })).toBe('cannot_reply_to_message');
  expect(await outcome('chat.stopStream', { channel, ts: thread_ts })).toBe('message_not_in_streaming_state');
  expect(await outcome('chat.appendStream', { channel, ts: 'now' })).toBe('message_not_found');
});

test('links of the app’s domains are announced, and it adds previews of them', async () => {
  const { fullManifest, startSandbox } = await import('../../harness.ts');
  const bot = [...fullManifest.oauth_config.scopes.bot, 'links:read', 'links:write'];
  const sandbox = await startSandbox({
    manifest: {
      ...fullManifest,
      features: { ...fullManifest.features, unfurl_domains: ['example.com'] },
      oauth_config: { scopes: { bot } },
      settings: { ...fullManifest.settings, event_subscriptions: { bot_events: ['link_shared'] } },
    },
  });
  const url = 'https://docs.example.com/a?b=1&c=2';
  const { ts } = await sandbox.post('message', {
    user: 'U0ALICE',
    channel: 'C0QUIET',
    text: `see ${url} and https://other.example`,
  });
  const announced = (await sandbox.traffic()).filter(({ kind }) => kind === 'events_api');
  expect(announced[0]?.payload.event).toMatchObject({
    type: 'link_shared',
    channel: 'C0QUIET',
    is_bot_user_member: false,
    message_ts: ts,
    links: [{ url, domain: 'example.com' }],
  });
  const said = await sandbox.post('message', { user: 'U0ALICE', channel, text: url });
  const client = sandbox.client();
  await client.chat.unfurl({ channel, ts: String(said.ts), unfurls: { [url]: { text: 'A preview' } } });
  expect((await sandbox.messages(channel, 'U0ALICE'))[0]).toMatchObject({
    attachments: [{ id: 1, text: 'A preview', from_url: url, is_app_unfurl: true }],
  });
  const other = client.chat.unfurl({ channel, ts: String(said.ts), unfurls: { 'https://else.example': {} } });
  await expect(other).rejects.toThrow('cannot_unfurl_message');
  const none = client.chat.unfurl({ channel, ts: String(said.ts), unfurls: {} });
  await expect(none).rejects.toThrow('missing_unfurls');
});

test('chat.unfurl refuses with its own names, and finds the message by unfurl_id too', async () => {
  const { sandbox, outcome } = await startApp({ scopes: ['links:write'] });
  const url = 'https://docs.example.com/a';
  const { ts } = await sandbox.post('message', { user: 'U0ALICE', channel, text: url });
  const unfurls = JSON.stringify({ [url]: { text: 'A preview' } });
  const unfurl = (args: Record<string, unknown>) => outcome('chat.unfurl', { unfurls, ...args });
  expect(await unfurl({ ts })).toBe('missing_channel');
  expect(await unfurl({ channel })).toBe('missing_ts');
  expect(await unfurl({ channel: 'C0NOWHERE', ts })).toBe('cannot_find_channel');
  expect(await unfurl({ channel, ts: '1.000001' })).toBe('cannot_find_message');
  expect(await unfurl({ channel, ts, unfurls: '[' })).toBe('invalid_unfurls_format');
  expect(await unfurl({ channel, ts, metadata: '[' })).toBe('invalid_metadata_format');
  expect(await unfurl({ source: 'conversations_history' })).toBe('missing_unfurl_id');
  expect(await unfurl({ unfurl_id: `${ts}.${channel}` })).toBe('missing_source');
  expect(await unfurl({ unfurl_id: `${ts}.${channel}`, source: 'composer' })).toBe('invalid_source');
  expect(await unfurl({ unfurl_id: 'x', source: 'conversations_history' })).toBe('invalid_unfurl_id');
  expect(await unfurl({ unfurl_id: `${ts}.${channel}`, source: 'conversations_history' })).toBe('ok');
  expect((await sandbox.messages(channel, 'U0ALICE'))[0]?.attachments).toMatchObject([{ text: 'A preview' }]);
});

test('the app says what it does with chat.meMessage', async () => {
  const { client, sandbox, outcome } = await startApp({ scopes: [] });
  await client.chat.meMessage({ channel, text: 'waves' });
  expect(await sandbox.messages(channel, 'U0ALICE')).toMatchObject([
    { subtype: 'me_message', text: 'waves' },
  ]);
  expect(await outcome('chat.meMessage', { channel, text: '' })).toBe('no_text');
  expect(await outcome('chat.meMessage', { channel: 'C0QUIET', text: 'x' })).toBe('not_in_channel');
});
