import type { App } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type StartedSlack, type StartSlackOptions, startSlack } from '../../src/test-kit/index.ts';
import { fullManifest, startSocketApp } from '../harness.ts';

async function start(configure: (app: App) => void, options: StartSlackOptions = {}): Promise<StartedSlack> {
  const slack = await startSlack({ manifest: fullManifest, timeoutMs: 10_000, ...options });
  onTestFinished(() => slack.close());
  await startSocketApp(slack, configure);
  return slack;
}

const modal = {
  type: 'modal' as const,
  callback_id: 'order',
  title: { type: 'plain_text' as const, text: 'Order' },
  submit: { type: 'plain_text' as const, text: 'Send' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'name',
      label: { type: 'plain_text' as const, text: 'Your name' },
      element: { type: 'plain_text_input' as const, action_id: 'text' },
    },
  ],
};

const buttons = [
  {
    type: 'actions' as const,
    elements: [
      { type: 'button' as const, action_id: 'yes', text: { type: 'plain_text' as const, text: 'Approve' } },
    ],
  },
];

test('a test types a command, clicks the answer, fills in the form and sees the call', async () => {
  const slack = await start((app) => {
    app.command('/vps', async ({ ack, client, command }) => {
      await ack();
      await client.chat.postMessage({ channel: command.channel_id, text: command.text, blocks: buttons });
    });
    app.action('yes', async ({ ack, body, client }) => {
      await ack();
      if ('trigger_id' in body) await client.views.open({ trigger_id: body.trigger_id, view: modal });
    });
    app.view('order', async ({ ack, view, client, body }) => {
      await ack();
      const name = view.state.values.name?.text?.value;
      await client.chat.postMessage({ channel: body.user.id, text: `Thank you, ${name}` });
    });
  });
  expect(await slack.slash('/vps list all')).toMatchObject({ acknowledged: true });
  const offer = await slack.waitForMessage('list all');
  await slack.click(offer, 'Approve', { user: 'bob' });
  const form = await slack.waitForView('Order', { user: 'bob' });
  await slack.submit(form, { 'Your name': 'Bob' }, { user: 'bob' });
  await slack.waitForMessage(/^Thank you, Bob$/, { user: 'bob', channel: 'bob' });
  const call = await slack.waitForCall('chat.postMessage', ({ args }) => args.channel === 'U0BOB');
  expect(call.answer.ok).toBe(true);
});

test('mentions, typed messages, shortcuts and the Home tab reach the app', async () => {
  const heard: string[] = [];
  const slack = await start((app) => {
    app.event('app_mention', async ({ event }) => void heard.push(event.text));
    app.message(async ({ message }) => void heard.push(`message ${'text' in message && message.text}`));
    app.shortcut('keep', async ({ ack, shortcut }) => {
      await ack();
      heard.push(shortcut.callback_id);
    });
    app.event('app_home_opened', async ({ event, client }) => {
      const text = { type: 'plain_text' as const, text: 'Welcome' };
      await client.views.publish({
        user_id: event.user,
        view: { type: 'home', blocks: [{ type: 'header', text }] },
      });
    });
  });
  await slack.mention('hello');
  await slack.say('in private', { channel: 'alice' });
  const [message] = await slack.messages();
  if (!message) throw new Error('The mention is not there');
  await slack.shortcut('keep', { message });
  await slack.openHome();
  await slack.waitForHome('Welcome');
  await expect
    .poll(() => heard)
    .toEqual(expect.arrayContaining(['<@U0APPACME> hello', 'message in private', 'keep']));
});

test('a failure shows the messages that arrived, and what Slack refused', async () => {
  const slack = await start((app) => {
    app.command('/vps', async ({ ack, client, command, respond }) => {
      await ack();
      await respond('working on it');
      const sent = client.chat.postMessage({
        channel: command.channel_id,
        text: 'x',
        blocks: [{ type: 'divider' }, { type: 'header' } as never],
      });
      await sent.catch(() => undefined);
    });
  });
  await slack.slash('/vps go');
  await slack.waitForCall('chat.postMessage');
  const failure = await slack
    .waitForMessage('done', { timeoutMs: 300 })
    .catch((error: Error) => error.message);
  expect(failure).toContain('No message matches "done" in general, as alice sees it, within 300 ms.');
  expect(failure).toContain('(ephemeral): working on it');
  expect(failure).toContain('Slack sent slash_commands: acknowledged after');
  expect(failure).toMatch(/the app called chat\.postMessage: invalid_blocks: .*missing required field: text/);
  const noView = await slack.waitForView('Order', { timeoutMs: 50 }).catch((error: Error) => error.message);
  expect(noView).toContain('No modal matches "Order" for alice within 50 ms.');
  const noButton = await slack
    .messages()
    .then(([seen]) => seen && slack.click(seen, 'Nope'))
    .catch((error: Error) => error.message);
  expect(noButton).toBe('There is no element "Nope". There are: none');
});

test('a message from before the latest action does not count', async () => {
  const slack = await start((app) => {
    app.command('/vps', async ({ ack, respond }) => {
      await ack();
      await respond('answer');
    });
    app.command('/raw', async ({ ack }) => ack());
  });
  await slack.slash('/vps one');
  await slack.waitForMessage('answer');
  await slack.slash('/raw two');
  await expect(slack.waitForMessage('answer', { timeoutMs: 100 })).rejects.toThrow('No message matches');
});

test('faults and the clock are at hand', async () => {
  const slack = await start(() => {}, { now: () => Date.UTC(2030, 0, 1) });
  await slack.faults.add('ratelimit:auth.test', 2);
  await slack.faults.clear();
  const call = (method: string) =>
    fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.env.SLACK_BOT_TOKEN}` },
    });
  expect((await call('auth.test')).status).toBe(200);
  await slack.faults.add('ratelimit:auth.test');
  expect((await call('auth.test')).status).toBe(429);
  await slack.clock.advance(60_000);
  await slack.reset();
  expect(await slack.messages()).toEqual([]);
});

test('a test answers a method that the sandbox lacks', async () => {
  const slack = await start(() => {});
  const call = async (method: string) => (await fetch(`${slack.apiUrl}${method}`, { method: 'POST' })).json();
  await slack.answer('canvases.create', { canvas_id: 'F1' });
  expect(await call('canvases.create')).toEqual({ ok: true, canvas_id: 'F1' });
  await slack.waitForCall('canvases.create');
  await slack.answer('own.method', { ok: false, error: 'nope' });
  expect(await call('own.method')).toEqual({ ok: false, error: 'nope' });
  await expect(slack.answer('chat.postMessage', {})).rejects.toThrow('answers chat.postMessage itself');
  await slack.reset();
  expect(await call('canvases.create')).toMatchObject({ error: 'unknown_method' });
});

test('every test has a world of its own', async () => {
  const [one, two] = await Promise.all([
    startSlack({ manifest: fullManifest }),
    startSlack({ manifest: fullManifest }),
  ]);
  await one.say('only here');
  expect(await one.messages()).toHaveLength(1);
  expect(await two.messages()).toHaveLength(0);
  await Promise.all([one.close(), two.close()]);
});

test('people and channels that do not exist are named', async () => {
  const slack = await startSlack({ manifest: fullManifest });
  await expect(slack.say('hi', { user: 'zoe' })).rejects.toThrow('There is no person zoe in T0ACME');
  await expect(slack.say('hi', { channel: 'nowhere' })).rejects.toThrow(
    'There is no channel nowhere in T0ACME',
  );
  await slack.close();
});

test('a message is found by the text of its blocks, which is also its text if the app gives none, and of its attachments', async () => {
  const slack = await start(() => {});
  const texts = [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '*Deploy* of web-01' },
      fields: [{ type: 'mrkdwn', text: 'by Bob' }],
    },
    ...buttons,
  ];
  const rich = {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'Asked by ' },
          { type: 'user', user_id: 'U0BOB' },
        ],
      },
    ],
  };
  const post = (message: object) =>
    fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.env.SLACK_BOT_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'C0GENERAL', ...message }),
    });
  await post({ blocks: [...texts, rich] });
  await slack.waitForMessage('by Bob');
  expect((await slack.messages()).map(({ text }) => text)).toEqual([
    '*Deploy* of web-01\nby Bob\nAsked by <@U0BOB>',
  ]);
  await post({ text: 'A deployment', blocks: [rich] });
  await slack.waitForMessage('Asked by <@U0BOB>');
  await post({ blocks: [{ type: 'divider' }] });
  await slack.waitForMessage("This content can't be displayed.");
  await post({
    attachments: [{ text: 'Here you go.', fields: [{ title: 'Users', value: 'Bob: 2 points' }] }],
  });
  await slack.waitForMessage(/^Here you go\.\nUsers\nBob: 2 points$/);
  const failure = await slack
    .waitForMessage('Carol', { timeoutMs: 20 })
    .catch((error: Error) => error.message);
  expect(failure).toContain('U0APPACME: Here you go.\nUsers\nBob: 2 points');
});

test('a test waits until its app is connected, so that no event is lost', async () => {
  const slack = await startSlack({ manifest: fullManifest, timeoutMs: 10_000 });
  onTestFinished(() => slack.close());
  await expect(slack.waitForApp({ timeoutMs: 20 })).rejects.toThrow('Tester: no connection');
  const heard: string[] = [];
  const app = startSocketApp(slack, (bolt) => {
    bolt.event('app_mention', async ({ event }) => void heard.push(event.text));
  });
  await slack.waitForApp();
  expect(await slack.mention('hello')).toMatchObject({ acknowledged: true });
  await app;
  expect(heard).toEqual(['<@U0APPACME> hello']);
});

test('people post files with a text, and the app gets a file_share whose bytes it can read', async () => {
  const heard: unknown[] = [];
  const slack = await start((app) => app.message(async ({ message }) => void heard.push(message)), {
    manifest: undefined,
  });
  const bytes = new Uint8Array([0, 255, 128]);
  await slack.upload(
    [
      { name: 'a.txt', content: 'hello' },
      { name: 'b.bin', content: bytes },
    ],
    { text: 'Two files' },
  );
  await expect
    .poll(() => heard)
    .toMatchObject([
      {
        subtype: 'file_share',
        text: 'Two files',
        user: 'U0ALICE',
        upload: false,
        files: [
          { name: 'a.txt', user: 'U0ALICE', mimetype: 'text/plain' },
          { name: 'b.bin', size: 3 },
        ],
      },
    ]);
  const shared = await slack.waitForMessage('Two files');
  const [, binary] = z.array(z.object({ id: z.string(), url_private: z.string() })).parse(shared.files);
  const headers = { authorization: `Bearer ${slack.env.SLACK_BOT_TOKEN}` };
  const read = await fetch(binary?.url_private ?? '', { headers });
  expect(new Uint8Array(await read.arrayBuffer())).toEqual(bytes);
  const events = (await slack.control.get('traffic')).traffic;
  for (const type of ['file_created', 'file_public', 'file_shared']) {
    expect(events).toContainEqual(
      expect.objectContaining({
        payload: expect.objectContaining({
          event: expect.objectContaining({ type, file_id: binary?.id, user_id: 'U0ALICE' }),
        }),
      }),
    );
  }
});

test('a form takes files of the types that its field accepts', async () => {
  const submitted: unknown[] = [];
  const input = {
    type: 'input' as const,
    block_id: 'proof',
    label: { type: 'plain_text' as const, text: 'Proof' },
    element: { type: 'file_input' as const, action_id: 'files', filetypes: ['txt'], max_files: 1 },
  };
  const slack = await start((app) => {
    app.command('/vps', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: { ...modal, blocks: [input] } });
    });
    app.view('order', async ({ ack, view }) => {
      await ack();
      submitted.push(view.state.values.proof?.files);
    });
  });
  await slack.slash('/vps');
  const form = await slack.waitForView('Order');
  const proof = { name: 'proof.txt', content: 'I paid' };
  expect(await slack.submit(form)).toMatchObject({
    errors: { proof: 'Please complete this required field.' },
  });
  await expect(slack.submit(form, { Proof: { name: 'a.png', content: 'x' } })).rejects.toThrow(
    'accepts only txt',
  );
  expect(await slack.submit(form, { Proof: [proof, proof] })).toMatchObject({
    errors: { proof: 'Please select at most 1 items.' },
  });
  expect(await slack.submit(form, { Proof: proof })).toMatchObject({ acknowledged: true });
  expect(submitted).toMatchObject([
    { type: 'file_input', files: [{ name: 'proof.txt', user: 'U0ALICE', filetype: 'text' }] },
  ]);
});
