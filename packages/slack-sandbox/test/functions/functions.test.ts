import { expect, test } from 'vitest';
import { fullManifest, startSandbox, startSocketApp } from '../harness.ts';

const manifest = {
  ...fullManifest,
  functions: {
    greet: {
      title: 'Greet',
      description: 'Greets someone',
      input_parameters: { name: { type: 'string', title: 'Name', is_required: true } },
      output_parameters: { greeting: { type: 'string', is_required: true } },
    },
    old_style: {
      title: 'Old',
      input_parameters: { properties: { who: { type: 'string' } }, required: ['who'] },
    },
  },
  settings: { ...fullManifest.settings, event_subscriptions: { bot_events: ['function_executed'] } },
};
const run = { user: 'alice', callback_id: 'greet', inputs: { name: 'Bob' } };

test('a Bolt app completes a workflow step with outputs, or with an error', async () => {
  const sandbox = await startSandbox({ manifest });
  await startSocketApp(sandbox, (app) => {
    app.function('greet', async ({ inputs, client, complete, fail }) => {
      await client.chat.postMessage({ channel: 'C0OPS', text: 'greeting' });
      if (inputs.name === 'Nobody') await fail({ error: 'There is nobody' });
      else await complete({ outputs: { greeting: `Hello ${inputs.name}` } });
    });
  });
  expect(await sandbox.post('run-function', run)).toMatchObject({ acknowledged: true });
  await sandbox.post('run-function', { ...run, inputs: { name: 'Nobody' } });
  await expect
    .poll(async () => (await sandbox.get('function-executions')).executions)
    .toMatchObject([
      { callback_id: 'greet', user: 'U0ALICE', state: 'completed', outputs: { greeting: 'Hello Bob' } },
      { callback_id: 'greet', state: 'failed', error: 'There is nobody' },
    ]);
  expect((await sandbox.messages('C0OPS', 'U0ALICE')).map(({ text }) => text)).toEqual([
    'greeting',
    'greeting',
  ]);
});

test('a step is refused with wrong inputs, and can be completed once, with the outputs of the manifest', async () => {
  const sandbox = await startSandbox({ manifest });
  expect(await sandbox.status('run-function', { ...run, callback_id: 'nothing' })).toMatchObject({
    status: 404,
  });
  expect(await sandbox.status('run-function', { ...run, inputs: { nam: 'Bob' } })).toMatchObject({
    status: 400,
    answer: { error: 'The parameter name is required. The function has no parameter nam.' },
  });
  expect(
    await sandbox.status('run-function', { ...run, callback_id: 'old_style', inputs: {} }),
  ).toMatchObject({
    answer: { error: 'The parameter who is required.' },
  });
  const { function_execution_id } = await sandbox.post('run-function', run);
  const id = String(function_execution_id);
  const { functions } = sandbox.client();
  const complete = (function_id: string, outputs: Record<string, unknown>) =>
    functions.completeSuccess({ function_execution_id: function_id, outputs }).then(
      () => 'ok',
      ({ data }: { data: { error: string } }) => data.error,
    );
  expect(await complete('Fx0', {})).toBe('function_execution_not_found');
  expect(await complete(id, {})).toBe('parameter_validation_failed');
  expect(await complete(id, { greeting: 'Hi' })).toBe('ok');
  expect(await complete(id, { greeting: 'Hi' })).toBe('execution_not_in_running_state');
});

test('a step needs an app that has subscribed to function_executed', async () => {
  const { settings, ...rest } = manifest;
  const sandbox = await startSandbox({
    manifest: { ...rest, settings: { ...settings, event_subscriptions: {} } },
  });
  expect((await sandbox.status('run-function', run)).answer.error).toContain('has not subscribed');
});

test('a button of a step completes it, also from a form that its interactivity pointer opens', async () => {
  const sandbox = await startSandbox({ manifest });
  await startSocketApp(sandbox, (app) => {
    app.function('greet', async ({ client }) => {
      const text = { type: 'plain_text', text: 'Ask' } as const;
      const elements = [{ type: 'button' as const, action_id: 'ask', text }];
      await client.chat.postMessage({
        channel: 'C0OPS',
        text: 'Step',
        blocks: [{ type: 'actions', elements }],
      });
    });
    app.action('ask', async ({ ack, client, body }) => {
      await ack();
      if (body.type !== 'block_actions' || !('interactivity' in body)) return;
      const { interactivity_pointer } = body.interactivity as { interactivity_pointer: string };
      const plain = (text: string) => ({ type: 'plain_text' as const, text });
      const view = {
        type: 'modal' as const,
        callback_id: 'sure',
        title: plain('Sure?'),
        submit: plain('Yes'),
      };
      const blocks = [{ type: 'section' as const, text: plain('Greet them') }];
      await client.apiCall('views.open', { interactivity_pointer, view: { ...view, blocks } });
    });
    app.view('sure', async ({ ack, client, body }) => {
      await ack();
      const { execution_id } = (body as unknown as { function_data: { execution_id: string } }).function_data;
      await client.functions.completeSuccess({
        function_execution_id: execution_id,
        outputs: { greeting: 'Hi' },
      });
    });
  });
  await sandbox.post('run-function', run);
  const cards = () => sandbox.messages('C0OPS', 'U0BOB');
  await expect.poll(cards).toHaveLength(1);
  const [card] = await cards();
  await sandbox.post('click', { user: 'U0BOB', channel: 'C0OPS', ts: card?.ts, action_id: 'ask' });
  await expect.poll(() => sandbox.modal('U0BOB').catch(() => undefined)).toBeTruthy();
  await sandbox.post('submit', { user: 'U0BOB', view: (await sandbox.modal('U0BOB')).id });
  const executions = async () => (await sandbox.get('function-executions')).executions;
  await expect.poll(executions).toMatchObject([{ state: 'completed', outputs: { greeting: 'Hi' } }]);
});
