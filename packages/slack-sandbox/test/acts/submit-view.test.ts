import type { App, ViewSubmitAction } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, startSocketApp } from '../harness.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const options = ['a', 'b', 'c'].map(option);

const input = (block_id: string, element: { type: string }, extra: object = {}) => ({
  type: 'input' as const,
  block_id,
  label: plain(block_id),
  element: { action_id: 'value', ...element },
  ...extra,
});

const form = (blocks: object[], extra: object = {}) => ({
  type: 'modal' as const,
  callback_id: 'form',
  title: plain('Form'),
  submit: plain('Send'),
  blocks,
  ...extra,
});

const text = { type: 'plain_text_input' };
const typed = (value: string | null) => ({ value: { type: 'plain_text_input', value } });

/** Starts a sandbox whose app opens a form for Alice. Returns the form's ID and the submissions. */
async function startWithForm(view: object, answer?: (app: App) => void) {
  const sandbox = await startSandbox();
  const heard: ViewSubmitAction[] = [];
  await startSocketApp(sandbox, (app) => {
    app.shortcut('make', async ({ ack, shortcut, client }) => {
      await ack();
      await client.apiCall('views.open', { trigger_id: shortcut.trigger_id, view });
    });
    if (answer) answer(app);
    else {
      app.view({ callback_id: 'form', type: 'view_submission' }, async ({ ack, body }) => {
        if (body.type === 'view_submission') heard.push(body);
        await ack();
      });
    }
  });
  await sandbox.post('shortcut', { user: 'U0ALICE', callback_id: 'make' });
  await expect.poll(() => sandbox.modal('U0ALICE')).toMatchObject({ callback_id: 'form' });
  const { id } = await sandbox.modal('U0ALICE');
  return { sandbox, heard, id, submit: (values: object) => submit(sandbox, id, values) };
}

const submit = (sandbox: Sandbox, view: string, values: object) =>
  sandbox.post('submit', { user: 'U0ALICE', view, values });

describe('a submission', () => {
  test('has every value, including empty ones, and closes the form', async () => {
    const { sandbox, heard, submit } = await startWithForm(
      form(
        [
          input('name', text),
          input('note', text, { optional: true }),
          input('size', { type: 'static_select', ...{ options, initial_option: option('b') } }),
          input('tags', { type: 'checkboxes', ...{ options } }, { optional: true }),
          { type: 'section', text: plain('No value here') },
        ],
        { private_metadata: 'kept' },
      ),
    );
    expect(await submit({ name: typed('web') })).toMatchObject({
      acknowledged: true,
      trigger_id: expect.any(String),
    });
    expect(heard).toMatchObject([
      {
        type: 'view_submission',
        user: { id: 'U0ALICE', name: 'alice', team_id: 'T0ACME' },
        team: { id: 'T0ACME' },
        view: { callback_id: 'form', private_metadata: 'kept' },
        response_urls: [],
      },
    ]);
    expect(heard[0]?.view.state.values).toEqual({
      name: typed('web'),
      note: typed(null),
      size: {
        value: {
          type: 'static_select',
          selected_option: { ...option('b'), text: { ...option('b').text, emoji: true } },
        },
      },
      tags: { value: { type: 'checkboxes', selected_options: [] } },
    });
    await expect(sandbox.modal('U0ALICE')).rejects.toThrow('no modal');
  });

  test('with a conversation select can be answered in that conversation', async () => {
    const menu = { type: 'conversations_select', response_url_enabled: true };
    const { sandbox, heard, submit } = await startWithForm(form([input('where', menu)]));
    await submit({ where: { value: { type: 'conversations_select', selected_conversation: 'C0OPS' } } });
    const [url] = heard[0]?.response_urls ?? [];
    expect(url).toMatchObject({ block_id: 'where', action_id: 'value', channel_id: 'C0OPS' });
    const body = JSON.stringify({ text: 'Made', response_type: 'in_channel' });
    await fetch(url?.response_url ?? '', { method: 'POST', body });
    expect(await sandbox.messages('C0OPS', 'U0BOB')).toMatchObject([{ text: 'Made' }]);
  });
});

describe("the client's own rules reject, without telling the app,", () => {
  const number = (extra: object) => ({ type: 'number_input', is_decimal_allowed: false, ...extra });
  const many = { type: 'multi_static_select', options, max_selected_items: 1 };

  test.each([
    ['a missing value', text, { value: null }, 'complete this required field'],
    ['a text too short', { ...text, min_length: 3 }, { value: 'ab' }, 'at least 3'],
    ['a text too long', { ...text, max_length: 3 }, { value: 'abcd' }, 'at most 3'],
    ['no number', number({}), { value: 'ten' }, 'valid number'],
    ['a fraction', number({}), { value: '1.5' }, 'whole number'],
    ['a number too small', number({ min_value: '2' }), { value: '1' }, 'at least 2'],
    ['a number too large', number({ max_value: '2' }), { value: '10' }, 'at most 2'],
    ['no address', { type: 'email_text_input' }, { value: 'alice' }, 'email address'],
    ['no link', { type: 'url_text_input' }, { value: 'example.com' }, 'valid URL'],
    ['too many choices', many, { selected_options: [option('a'), option('b')] }, 'at most 1'],
  ])('%s', async (_what, element, value, error) => {
    const { sandbox, heard, submit } = await startWithForm(form([input('field', element)]));
    expect(await submit({ field: { value: { type: element.type, ...value } } })).toMatchObject({
      acknowledged: false,
      response_action: 'errors',
      errors: { field: expect.stringContaining(error) },
    });
    expect(heard).toEqual([]);
    expect(await sandbox.modal('U0ALICE')).toMatchObject({ callback_id: 'form' });
  });

  test.each([
    ['a text of the shortest length', { ...text, min_length: 3 }, 'abc'],
    ['a fraction where it is allowed', number({ is_decimal_allowed: true }), '1.5'],
    ['a number at its bound', number({ min_value: '2', max_value: '2' }), '2'],
    ['an address', { type: 'email_text_input' }, 'alice@example.com'],
  ])('but allow %s', async (_what, element, value) => {
    const { heard, submit } = await startWithForm(form([input('field', element)]));
    expect(await submit({ field: { value: { type: element.type, value } } })).toMatchObject({
      acknowledged: true,
    });
    expect(heard).toHaveLength(1);
  });
});

describe('the app can respond with', () => {
  const answered = (response: object, sleep?: () => Promise<void>) =>
    startWithForm(form([input('name', text), input('note', text, { optional: true })]), (app) => {
      app.view('form', async ({ ack }) => {
        await sleep?.();
        // Responses that its types forbid are tested too.
        await (ack as (answer: object) => Promise<void>)(response);
      });
    });

  test('errors beside fields, and the entered values stay', async () => {
    const { sandbox, submit } = await answered({ response_action: 'errors', errors: { name: 'Taken' } });
    expect(await submit({ name: typed('web') })).toMatchObject({
      acknowledged: true,
      response_action: 'errors',
      errors: { name: 'Taken' },
    });
    expect(await sandbox.modal('U0ALICE')).toMatchObject({ state: { values: { name: typed('web') } } });
  });

  test.each([
    ['an object', (view: object) => view],
    ['text', JSON.stringify],
  ])('another view in place of this one, as %s', async (_what, convert) => {
    const view = { ...form([{ type: 'section', text: plain('Sent') }]), callback_id: 'sent' };
    const { sandbox, submit, id } = await answered({ response_action: 'update', view: convert(view) });
    expect(await submit({ name: typed('web') })).toMatchObject({ response_action: 'update' });
    expect(await sandbox.modal('U0ALICE')).toMatchObject({ id, callback_id: 'sent' });
  });

  test('another view on top', async () => {
    const view = { ...form([input('more', text)]), callback_id: 'more' };
    const { sandbox, submit, id } = await answered({ response_action: 'push', view });
    expect(await submit({ name: typed('web') })).toMatchObject({ response_action: 'push' });
    expect(await sandbox.modal('U0ALICE')).toMatchObject({ callback_id: 'more', previous_view_id: id });
    const below = await sandbox.status('submit', { user: 'U0ALICE', view: id });
    expect(below).toMatchObject({ status: 400, answer: { error: expect.stringContaining('is below') } });
  });

  test('clear', async () => {
    const { sandbox, submit } = await answered({ response_action: 'clear' });
    expect(await submit({ name: typed('web') })).toMatchObject({ response_action: 'clear' });
    await expect(sandbox.modal('U0ALICE')).rejects.toThrow('no modal');
  });

  test.each([
    ['errors for a block that is no input', { response_action: 'errors', errors: { nope: 'Wrong' } }],
    ['no error at all', { response_action: 'errors', errors: {} }],
    ['a view over a limit', { response_action: 'update', view: form([], { title: plain('x'.repeat(25)) }) }],
    ['a view as other text', { response_action: 'update', view: '{"type":' }],
    ['an unknown action', { response_action: 'explode' }],
  ])('but not %s: the person sees an error', async (_what, response) => {
    const { sandbox, submit } = await answered(response);
    expect(await submit({ name: typed('web') })).toMatchObject({
      acknowledged: true,
      error: 'We had some trouble connecting. Try again?',
    });
    expect(await sandbox.modal('U0ALICE')).toMatchObject({ callback_id: 'form' });
  });

  test('a late acknowledgement: the person sees an error, and the form stays', async () => {
    const { sandbox, submit } = await answered({}, () => new Promise(() => {}));
    const submission = submit({ name: typed('web') });
    const submitted = async () =>
      (await sandbox.traffic()).filter(({ payload }) => payload.type === 'view_submission');
    await expect.poll(submitted).toHaveLength(1);
    await sandbox.advance(3000);
    expect(await submission).toMatchObject({
      acknowledged: false,
      error: expect.stringContaining('some trouble'),
    });
    expect(await sandbox.modal('U0ALICE')).toMatchObject({ state: { values: { name: typed('web') } } });
  });
});

describe('nothing is submitted', () => {
  test('if a field does not exist, or its value has another shape', async () => {
    const { sandbox, id } = await startWithForm(form([input('name', text)]));
    const status = (values: object) => sandbox.status('submit', { user: 'U0ALICE', view: id, values });
    expect(await status({ nope: typed('web') })).toMatchObject({ status: 404 });
    expect(await status({ name: { value: { selected_option: option('a') } } })).toMatchObject({
      status: 400,
      answer: { error: 'name/value is a plain_text_input: its value is in `value`' },
    });
  });

  test("in someone else's form, or one without a submit button", async () => {
    const { sandbox, id } = await startWithForm(
      form([{ type: 'section', text: plain('Read') }], { submit: undefined }),
    );
    expect((await sandbox.status('submit', { user: 'U0BOB', view: id })).status).toBe(404);
    const { answer } = await sandbox.status('submit', { user: 'U0ALICE', view: id });
    expect(answer.error).toContain('no submit button');
  });
});
