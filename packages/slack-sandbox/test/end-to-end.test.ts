import { expect, test } from 'vitest';
import { startSandbox, startSocketApp } from './harness.ts';

test('a command gets a reply, a button opens a form, and the form edits the message', async () => {
  const sandbox = await startSandbox();
  await startSocketApp(sandbox, (app) => {
    app.command('/vps', async ({ ack, respond, command }) => {
      await ack();
      await respond({
        text: `Hello ${command.text}`,
        blocks: [
          {
            type: 'actions',
            elements: [
              { type: 'button', action_id: 'go', value: '1', text: { type: 'plain_text', text: 'Go' } },
            ],
          },
        ],
      });
    });
    app.action('go', async ({ ack, body, client }) => {
      await ack();
      if (body.type !== 'block_actions') return;
      await client.views.open({
        trigger_id: body.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'form',
          title: { type: 'plain_text', text: 'Form' },
          submit: { type: 'plain_text', text: 'Send' },
          blocks: [
            {
              type: 'input',
              block_id: 'name',
              label: { type: 'plain_text', text: 'Name' },
              element: { type: 'plain_text_input', action_id: 'value' },
            },
          ],
        },
      });
    });
    app.view('form', async ({ ack, view, client }) => {
      await ack();
      const name = view.state.values.name?.value?.value;
      const posted = await client.chat.postMessage({ channel: 'C0OPS', text: `Queued ${name}` });
      await client.chat.update({ channel: 'C0OPS', ts: posted.ts ?? '', text: `Done ${name}` });
    });
  });

  const command = { user: 'U0ALICE', channel: 'C0OPS', command: '/vps', text: 'list' };
  const slash = await sandbox.post('slash', command);
  expect(slash).toMatchObject({ acknowledged: true, ack_ms: 0, trigger_id: expect.any(String) });
  await expect.poll(() => sandbox.messages('C0OPS', 'U0ALICE')).toHaveLength(1);
  const [card] = await sandbox.messages('C0OPS', 'U0ALICE');
  expect(card).toMatchObject({ text: 'Hello list', ephemeral: true, user: 'U0APPACME' });
  expect(await sandbox.messages('C0OPS', 'U0BOB')).toEqual([]);

  await sandbox.post('click', { user: 'U0ALICE', channel: 'C0OPS', ts: card?.ts, action_id: 'go' });
  await expect.poll(() => sandbox.modal('U0ALICE')).toMatchObject({ callback_id: 'form' });
  const { id } = await sandbox.modal('U0ALICE');
  const values = { name: { value: { type: 'plain_text_input', value: 'web' } } };
  expect(await sandbox.post('submit', { user: 'U0ALICE', view: id, values })).toMatchObject({
    acknowledged: true,
  });
  await expect(sandbox.modal('U0ALICE')).rejects.toThrow('no modal');
  await expect
    .poll(() => sandbox.messages('C0OPS', 'U0BOB'))
    .toMatchObject([{ text: 'Done web', edited: { user: 'U0APPACME' } }]);
});
