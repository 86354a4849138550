import type { BlockAction } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { fullManifest, type Sandbox, startSandbox, startSocketApp } from '../harness.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const options = ['a', 'b', 'c'].map(option);

const card = [
  {
    type: 'section' as const,
    block_id: 'head',
    text: { type: 'mrkdwn' as const, text: 'Card' },
    accessory: { type: 'overflow' as const, action_id: 'more', options: options.slice(0, 2) },
  },
  {
    type: 'actions' as const,
    block_id: 'one',
    elements: [
      { type: 'button' as const, action_id: 'go', value: '1', style: 'primary' as const, text: plain('Go') },
      { type: 'button' as const, action_id: 'stop', text: plain('Stop') },
      { type: 'static_select' as const, action_id: 'pick', initial_option: option('c'), options },
      { type: 'multi_static_select' as const, action_id: 'many', placeholder: plain('Many'), options },
      { type: 'checkboxes' as const, action_id: 'check', options },
      { type: 'users_select' as const, action_id: 'who' },
      { type: 'datepicker' as const, action_id: 'day' },
    ],
  },
  {
    type: 'actions' as const,
    block_id: 'two',
    elements: [{ type: 'button' as const, action_id: 'go', value: '2', text: plain('Go Too') }],
  },
];

/** Starts a sandbox with the card posted, whose app acknowledges and records clicks. */
async function startWithCard(where: { ephemeral?: boolean } = {}) {
  const sandbox = await startSandbox();
  const heard: BlockAction[] = [];
  await startSocketApp(sandbox, (app) => {
    app.action(/.*/, async ({ ack, body }) => {
      if (body.type === 'block_actions') heard.push(body);
      await ack();
    });
  });
  const { chat } = sandbox.client();
  const message = { channel: 'C0OPS', text: 'Card', blocks: card };
  if (where.ephemeral) await chat.postEphemeral({ ...message, user: 'U0BOB' });
  else await chat.postMessage(message);
  const [posted] = await sandbox.messages('C0OPS', 'U0BOB');
  const press = (body: object) => ({ user: 'U0BOB', channel: 'C0OPS', ts: posted?.ts, ...body });
  return { sandbox, heard, press, ts: posted?.ts };
}

const click = (sandbox: Sandbox, body: Record<string, unknown>) => sandbox.post('click', body);

describe('a button of a message', () => {
  test('sends who pressed what, where, and how to respond', async () => {
    const { sandbox, heard, press, ts } = await startWithCard();
    const reaction = await click(sandbox, press({ action_id: 'go', value: '1' }));
    expect(reaction).toMatchObject({ acknowledged: true, trigger_id: expect.any(String) });
    expect(heard).toMatchObject([
      {
        type: 'block_actions',
        user: { id: 'U0BOB', username: 'bob', team_id: 'T0ACME' },
        team: { id: 'T0ACME', domain: 'acme' },
        channel: { id: 'C0OPS', name: 'ops' },
        container: { type: 'message', message_ts: ts, channel_id: 'C0OPS', is_ephemeral: false },
        message: { ts, text: 'Card', bot_id: 'B0ACME' },
        response_url: expect.stringContaining(`${sandbox.url}/actions/T0ACME/`),
        trigger_id: reaction.trigger_id,
        actions: [
          {
            type: 'button',
            block_id: 'one',
            action_id: 'go',
            value: '1',
            style: 'primary',
            text: plain('Go'),
          },
        ],
      },
    ]);
  });

  test('is identified by its value or block if several have the same action_id', async () => {
    const { sandbox, heard, press } = await startWithCard();
    await click(sandbox, press({ action_id: 'go', value: '2' }));
    await click(sandbox, press({ action_id: 'go', block_id: 'one' }));
    expect(heard.map(({ actions }) => actions[0]?.block_id)).toEqual(['two', 'one']);
    expect(await sandbox.status('click', press({ action_id: 'go' }))).toMatchObject({
      status: 400,
      answer: { error: 'There are 2 elements go: name the block_id or value' },
    });
  });

  test('of an ephemeral message is sent without the message', async () => {
    const { sandbox, heard, press } = await startWithCard({ ephemeral: true });
    await click(sandbox, press({ action_id: 'stop' }));
    expect(heard).toMatchObject([{ container: { is_ephemeral: true }, channel: { id: 'C0OPS' } }]);
    expect(heard[0]).not.toHaveProperty('message');
  });

  test('pressed by someone from another organization names both organizations', async () => {
    const { sandbox, heard, press } = await startWithCard();
    await click(sandbox, press({ user: 'U0ERIN', action_id: 'stop' }));
    expect(heard).toMatchObject([{ user: { id: 'U0ERIN', team_id: 'T0INITECH' }, team: { id: 'T0ACME' } }]);
  });

  test('in a thread names the thread', async () => {
    const { sandbox, heard, ts = '' } = await startWithCard();
    const { chat } = sandbox.client();
    const reply = await chat.postMessage({ channel: 'C0OPS', text: 'Reply', thread_ts: ts, blocks: card });
    await click(sandbox, { user: 'U0BOB', channel: 'C0OPS', ts: reply.ts, action_id: 'stop' });
    expect(heard).toMatchObject([{ container: { thread_ts: ts, message_ts: reply.ts } }]);
  });
});

const inside = [
  { type: 'button', action_id: 'inside', value: '1', text: plain('Inside') },
  { type: 'button', text: plain('Without an ID') },
];
const insideCard = { type: 'card', block_id: 'inner', actions: inside };
const insideActions = { type: 'actions', block_id: 'inner', elements: inside };

test.each([
  ['a card', insideCard],
  ['a card of a carousel', { type: 'carousel', elements: [insideCard] }],
  ['a container', { type: 'container', title: plain('Box'), child_blocks: [insideActions] }],
])('a button in %s is sent with the ID of the block that has it', async (_where, block) => {
  const { sandbox, heard } = await startWithCard();
  await sandbox.client().apiCall('chat.postMessage', { channel: 'C0OPS', text: 'Card', blocks: [block] });
  const [, posted] = await sandbox.messages('C0OPS', 'U0BOB');
  await click(sandbox, { user: 'U0BOB', channel: 'C0OPS', ts: posted?.ts, action_id: 'inside' });
  expect(heard).toMatchObject([
    { actions: [{ type: 'button', block_id: 'inner', action_id: 'inside', value: '1' }] },
  ]);
  expect([...JSON.stringify(posted).matchAll(/"action_id":"[^"]+"/g)]).toHaveLength(2);
});

describe('a choice', () => {
  test.each([
    ['pick', 'b', { type: 'static_select', selected_option: option('b') }],
    ['pick', 'C', { type: 'static_select', selected_option: option('c') }],
    ['many', ['a', 'c'], { type: 'multi_static_select', selected_options: [option('a'), option('c')] }],
    ['check', ['a'], { type: 'checkboxes', selected_options: [option('a')] }],
    ['check', [], { type: 'checkboxes', selected_options: [] }],
    ['who', 'U0CAROL', { type: 'users_select', selected_user: 'U0CAROL' }],
    ['who', 'carol', { type: 'users_select', selected_user: 'U0CAROL' }],
    ['day', '2030-02-01', { type: 'datepicker', selected_date: '2030-02-01' }],
    ['more', 'a', { type: 'overflow', selected_option: option('a') }],
  ])("in %s of %j is sent in Slack's format", async (action_id, value, action) => {
    const { sandbox, heard, press } = await startWithCard();
    await click(sandbox, press({ action_id, value }));
    expect(heard[0]?.actions).toMatchObject([{ action_id, ...action }]);
  });

  test("is remembered for the person's next click", async () => {
    const { sandbox, heard, press } = await startWithCard();
    await click(sandbox, press({ action_id: 'pick', value: 'b' }));
    await click(sandbox, press({ action_id: 'stop' }));
    await click(sandbox, press({ user: 'U0CAROL', action_id: 'stop' }));
    const picked = heard.map(({ state }) => state?.values.one?.pick?.selected_option?.value);
    expect(picked).toEqual(['b', 'b', 'c']);
    const [shown] = await sandbox.messages('C0OPS', 'U0BOB');
    expect(shown).toMatchObject({ state: { values: { one: { pick: { selected_option: option('b') } } } } });
  });

  test.each([
    ['pick', 'z', 'There is no option z; there are: a, b, c'],
    ['who', 'U0GWEN', 'There is no person U0GWEN'],
    ['day', 'tomorrow', 'tomorrow is not a date'],
    ['more', undefined, 'more needs a value'],
  ])('that %s does not offer is rejected', async (action_id, value, error) => {
    const { sandbox, press } = await startWithCard();
    const response = await sandbox.status('click', press({ action_id, value }));
    expect(response).toEqual({ status: 400, answer: { error: expect.stringContaining(error) } });
  });
});

describe('nothing can be pressed', () => {
  test('if the element or message does not exist', async () => {
    const { sandbox, press } = await startWithCard();
    const missing = await sandbox.status('click', press({ action_id: 'nope' }));
    expect(missing).toMatchObject({
      status: 404,
      answer: { error: expect.stringContaining('there are: more, go') },
    });
    expect(await sandbox.status('click', press({ action_id: 'go', value: '9' }))).toMatchObject({
      status: 404,
    });
    expect(await sandbox.status('click', press({ ts: '1.0', action_id: 'go' }))).toMatchObject({
      status: 404,
    });
    expect(await sandbox.status('click', { user: 'U0BOB', action_id: 'go' })).toMatchObject({
      status: 400,
      answer: { error: 'Name a view, or a channel and a ts' },
    });
  });

  test('in a channel that a guest is not in', async () => {
    const sandbox = await startSandbox();
    const typed = { user: 'U0ALICE', channel: 'C0QUIET', command: '/invite', text: '@Tester' };
    await sandbox.post('slash', typed);
    const { ts } = await sandbox
      .client()
      .chat.postMessage({ channel: 'C0QUIET', text: 'Card', blocks: card });
    const press = { user: 'U0DAVE', channel: 'C0QUIET', ts, action_id: 'stop' };
    expect(await sandbox.status('click', press)).toMatchObject({ status: 404 });
  });

  test("in someone else's ephemeral message", async () => {
    const { sandbox, press } = await startWithCard({ ephemeral: true });
    expect(await sandbox.status('click', press({ user: 'U0CAROL', action_id: 'stop' }))).toMatchObject({
      status: 404,
    });
  });
});

test('a click that is not acknowledged fails after three seconds', async () => {
  const sandbox = await startSandbox();
  await startSocketApp(sandbox, (app) => void app.action('go', async () => {}));
  const { ts } = await sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Card', blocks: card });
  const reaction = click(sandbox, { user: 'U0BOB', channel: 'C0OPS', ts, action_id: 'go', value: '1' });
  await expect.poll(async () => (await sandbox.traffic()).map(({ kind }) => kind)).toContain('interactive');
  await sandbox.advance(3000);
  expect(await reaction).toMatchObject({ acknowledged: false, error: 'operation_timeout' });
});

test('nothing can be clicked if interactivity is off', async () => {
  const features = { ...fullManifest.features, shortcuts: [] };
  const settings = { ...fullManifest.settings, interactivity: { is_enabled: false } };
  const sandbox = await startSandbox({ manifest: { ...fullManifest, features, settings } });
  const { ts } = await sandbox.client().chat.postMessage({ channel: 'C0OPS', text: 'Card', blocks: card });
  const reaction = await click(sandbox, { user: 'U0BOB', channel: 'C0OPS', ts, action_id: 'stop' });
  expect(reaction).toMatchObject({ acknowledged: false, error: expect.stringContaining('not configured') });
});
