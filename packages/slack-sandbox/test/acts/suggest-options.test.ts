import type { App, BlockSuggestion } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { fullManifest, startHttpApp, startSandbox, startSocketApp } from '../harness.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value), value });

const form = {
  type: 'modal' as const,
  callback_id: 'form',
  title: plain('Form'),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input' as const,
      block_id: 'name',
      label: plain('Name'),
      element: { type: 'plain_text_input' as const, action_id: 'value', initial_value: 'typed' },
    },
    {
      type: 'input' as const,
      block_id: 'vps',
      label: plain('VPS'),
      element: { type: 'external_select' as const, action_id: 'find', min_query_length: 2 },
    },
  ],
};

function formApp(heard: BlockSuggestion[], answer: object) {
  return (app: App) => {
    app.shortcut('make', async ({ ack, shortcut, client }) => {
      await ack();
      await client.views.open({ trigger_id: shortcut.trigger_id, view: form });
    });
    app.options('find', async ({ ack, options }) => {
      if (options.type === 'block_suggestion') heard.push(options);
      // Responses that its types forbid are tested too.
      await (ack as (answer: object) => Promise<void>)(answer);
    });
    app.view('form', async ({ ack }) => ack());
  };
}

async function startWithForm(answer: object = { options: [option('VPS-1'), option('VPS-2')] }) {
  const sandbox = await startSandbox();
  const heard: BlockSuggestion[] = [];
  await startSocketApp(sandbox, formApp(heard, answer));
  await sandbox.post('shortcut', { user: 'U0ALICE', callback_id: 'make' });
  await expect.poll(() => sandbox.modal('U0ALICE')).toMatchObject({ callback_id: 'form' });
  const view = (await sandbox.modal('U0ALICE')).id;
  const type = (text: string) => sandbox.post('suggest', { user: 'U0ALICE', view, action_id: 'find', text });
  return { sandbox, heard, view, type };
}

test('options come from the app, which gets the typed text and nothing else of the form', async () => {
  const { heard, type, view } = await startWithForm();
  expect(await type('VPS')).toMatchObject({
    acknowledged: true,
    options: [option('VPS-1'), option('VPS-2')],
  });
  expect(heard).toMatchObject([
    {
      type: 'block_suggestion',
      value: 'VPS',
      action_id: 'find',
      block_id: 'vps',
      container: { type: 'view', view_id: view },
      view: { id: view, state: { values: {} } },
    },
  ]);
});

test('the app is not asked if the text is shorter than the shortest query', async () => {
  const { heard, type } = await startWithForm();
  expect(await type('V')).toEqual({ options: [] });
  expect(heard).toEqual([]);
});

test('an offered option is submitted as it was offered, and any other value as it is given', async () => {
  const { sandbox, view, type } = await startWithForm();
  const stored = { text: { ...plain('VPS-1'), emoji: true }, value: 'VPS-1' };
  expect((await type('VPS')).options).toContainEqual(stored);
  const choose = (value: unknown) =>
    sandbox.post('click', { user: 'U0ALICE', view, action_id: 'find', value });
  const chosen = async () => (await sandbox.modal('U0ALICE')).state;
  const holding = (selected_option: object) => ({ values: { vps: { find: { selected_option } } } });
  await choose('VPS-2');
  expect(await chosen()).toMatchObject(holding(option('VPS-2')));
  await choose({ text: plain('Anything'), value: 'VPS-1' });
  expect(await chosen()).toMatchObject(holding(option('VPS-1')));
  await choose({ text: plain('Anything'), value: 'VPS-9' });
  expect(await chosen()).toMatchObject(holding({ text: plain('Anything'), value: 'VPS-9' }));
  await choose('VPS-9');
  expect(await chosen()).toMatchObject(holding(option('VPS-9')));
});

test('groups of options are shown as groups', async () => {
  const groups = [{ label: plain('Berlin'), options: [option('VPS-1')] }];
  const { type } = await startWithForm({ option_groups: groups });
  expect(await type('VPS')).toMatchObject({ options: [option('VPS-1')], option_groups: groups });
});

describe('Slack rejects', () => {
  test.each([
    ['more than 100 options', { options: Array.from({ length: 101 }, (_, index) => option(`VPS-${index}`)) }],
    ['a text over 75 characters', { options: [{ text: plain('x'.repeat(76)), value: 'a' }] }],
    ['options that are none', { options: [{ label: 'VPS-1' }] }],
    ['neither options nor groups', { text: 'VPS-1' }],
  ])('%s', async (_what, answer) => {
    const { type } = await startWithForm(answer);
    expect(await type('VPS')).toMatchObject({ options: [], error: expect.stringContaining('rejects') });
  });

  test('to ask over HTTP if the manifest has no URL for it', async () => {
    const { interactivity, ...settings } = fullManifest.settings;
    const heard: BlockSuggestion[] = [];
    const manifest = {
      ...fullManifest,
      settings: { ...settings, interactivity, socket_mode_enabled: false },
    };
    const sandbox = await startHttpApp(formApp(heard, { options: [] }), manifest);
    await sandbox.post('shortcut', { user: 'U0ALICE', callback_id: 'make' });
    await expect.poll(() => sandbox.modal('U0ALICE')).toMatchObject({ callback_id: 'form' });
    const view = (await sandbox.modal('U0ALICE')).id;
    const answer = await sandbox.post('suggest', { user: 'U0ALICE', view, action_id: 'find', text: 'VPS' });
    expect(answer).toMatchObject({ options: [], error: expect.stringContaining('message_menu_options_url') });
    expect(heard).toEqual([]);
  });
});

test('an element without external options cannot be asked', async () => {
  const { sandbox, view } = await startWithForm();
  const asked = await sandbox.status('suggest', { user: 'U0ALICE', view, action_id: 'value', text: 'VPS' });
  expect(asked).toEqual({ status: 400, answer: { error: 'value is a plain_text_input' } });
});
