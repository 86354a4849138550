import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type StartedSlack, startSlack } from '../../src/test-kit/index.ts';
import { fullManifest } from '../harness.ts';

async function start(
  features: object,
  bot: readonly string[],
  bot_events: readonly string[],
): Promise<StartedSlack> {
  const { oauth_config, settings } = fullManifest;
  const slack = await startSlack({
    manifest: {
      ...fullManifest,
      features: { ...fullManifest.features, ...features },
      oauth_config: { scopes: { bot: [...oauth_config.scopes.bot, ...bot] } },
      settings: { ...settings, event_subscriptions: { bot_events } },
    },
    now: () => Date.UTC(2030, 0, 1),
  });
  onTestFinished(() => slack.close());
  return slack;
}

/** Returns the events that Slack has sent, without repeats. */
async function events({ url }: StartedSlack): Promise<unknown[]> {
  const lines = trafficAnswer.parse(await (await fetch(`${url}/sandbox/traffic`)).json()).traffic;
  return lines
    .filter(({ kind, retry }) => kind === 'events_api' && !retry)
    .map(({ payload }) => payload.event);
}

const trafficAnswer = z.object({
  traffic: z.array(
    z.object({
      kind: z.string(),
      retry: z.number().optional(),
      payload: z.object({ event: z.unknown().optional() }),
    }),
  ),
});
const commandsAnswer = z.object({
  traffic: z.array(z.object({ kind: z.string(), payload: z.object({ text: z.string().optional() }) })),
});
const threadsAnswer = z.object({ threads: z.array(z.unknown()) });

test('people react to messages, edit and delete their own', async () => {
  const slack = await start(
    {},
    ['reactions:read'],
    ['reaction_added', 'reaction_removed', 'message.channels'],
  );
  await slack.say('helo');
  const [message] = await slack.messages();
  if (!message) throw new Error('The message is not there');
  await slack.react(message, 'eyes', { user: 'bob' });
  await slack.react(message, ':eyes:', { user: 'bob' });
  await slack.edit(message, 'hello');
  await expect(slack.edit(message, 'x', { user: 'bob' })).rejects.toThrow('only their own');
  await slack.remove(message);
  expect(await slack.messages()).toEqual([]);
  expect(await events(slack)).toMatchObject([
    { type: 'message', text: 'helo' },
    { type: 'reaction_added', user: 'U0BOB', reaction: 'eyes', item_user: 'U0ALICE' },
    { type: 'reaction_removed' },
    { subtype: 'message_changed', message: { text: 'hello' }, previous_message: { text: 'helo' } },
    { subtype: 'message_deleted', deleted_ts: message.ts },
  ]);
});

test('people talk to an assistant, which sets its status, title and prompts', async () => {
  const assistant_view = { assistant_description: 'Helps' };
  const slack = await start(
    { assistant_view },
    ['assistant:write'],
    ['assistant_thread_started', 'message.im'],
  );
  const thread = await slack.openAssistant({ channel: 'general' });
  await slack.say('what is up?', thread);
  const call = async (method: string, args: object) => {
    const response = await fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.env.SLACK_BOT_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel_id: thread.channel, thread_ts: thread.thread_ts, ...args }),
    });
    return response.json();
  };
  const threads = async () =>
    threadsAnswer.parse(await (await fetch(`${slack.url}/sandbox/assistant-threads`)).json()).threads;
  expect(await call('assistant.threads.setTitle', { title: 'News' })).toMatchObject({ ok: true });
  expect(await call('assistant.threads.setStatus', { status: 'is thinking…' })).toMatchObject({ ok: true });
  const prompts = [{ title: 'More', message: 'Tell me more' }];
  expect(await call('assistant.threads.setSuggestedPrompts', { prompts })).toMatchObject({ ok: true });
  expect(await threads()).toMatchObject([{ title: 'News', status: 'is thinking…', prompts }]);
  expect(await call('assistant.threads.setStatus', { thread_ts: '1.000001', status: '' })).toMatchObject({
    error: 'invalid_thread_ts',
  });
  await call('chat.postMessage', { channel: thread.channel, text: 'Not much' });
  expect(await threads()).toMatchObject([{ status: '' }]);
  expect(await events(slack)).toMatchObject([
    { type: 'message', subtype: 'assistant_app_thread' },
    { type: 'assistant_thread_started', assistant_thread: { user_id: 'U0ALICE', channel_id: 'D0ALICE' } },
    { type: 'message', text: 'what is up?', thread_ts: thread.thread_ts },
    { subtype: 'message_changed', message: { assistant_app_thread: { title: 'News', artifacts: [] } } },
    { type: 'message', text: 'Not much' },
  ]);
});

test('an app without an assistant view cannot be opened as an assistant', async () => {
  const slack = await start({}, [], []);
  await expect(slack.openAssistant()).rejects.toThrow('features.assistant_view');
});

test('quotes and dashes become typographic like on macOS and phones, or stay as they were typed', async () => {
  const textsOf = async (options: { smartPunctuation?: boolean }) => {
    const slack = await startSlack({ manifest: fullManifest, ...options });
    onTestFinished(() => slack.close());
    await slack.say(`"a b" --c it's`);
    await slack.slash(`/vps "a b" --c it's`);
    const { traffic } = commandsAnswer.parse(await slack.control.get('traffic'));
    const [command] = traffic.filter(({ kind }) => kind === 'slash_commands');
    return [(await slack.messages())[0]?.text, command?.payload.text];
  };
  expect(await textsOf({})).toEqual(['“a b” —c it’s', '“a b” —c it’s']);
  expect(await textsOf({ smartPunctuation: false })).toEqual([`"a b" --c it's`, `"a b" --c it's`]);
});

const button = (label: string) => ({
  type: 'actions',
  elements: [{ type: 'button', text: { type: 'plain_text', text: label } }],
});

test('a button in a colored attachment can be clicked, also after the app has edited the message', async () => {
  const slack = await start({}, [], []);
  const post = (method: string, args: object) =>
    fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.env.SLACK_BOT_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'C0GENERAL', ...args }),
    });
  await post('chat.postMessage', { attachments: [{ color: '#f00', blocks: [button('Approve')] }] });
  const [card] = await slack.messages();
  if (!card) throw new Error('The card is not there');
  // No app is connected, so that a click is sent, and fails.
  expect(await slack.click(card, 'Approve')).toMatchObject({ error: 'dispatch_failed' });
  await post('chat.update', { ts: card.ts, attachments: [], blocks: [button('Undo')] });
  await expect(slack.click(card, 'Approve')).rejects.toThrow(
    /There is no element "Approve"\. There are: .*"Undo"/,
  );
  expect(await slack.click(card, 'Undo')).toMatchObject({ error: 'dispatch_failed' });
});
