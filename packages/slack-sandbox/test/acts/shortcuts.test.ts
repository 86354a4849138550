import type { App } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { startSandbox, startSocketApp } from '../harness.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });

async function startListening(configure?: (app: App) => void) {
  const sandbox = await startSandbox();
  const heard: unknown[] = [];
  await startSocketApp(sandbox, (app) => {
    configure?.(app);
    app.shortcut(/.*/, async ({ ack, body }) => {
      heard.push(body);
      await ack();
    });
  });
  return { sandbox, heard };
}

describe('a shortcut', () => {
  test('from anywhere has the person and a trigger', async () => {
    const { sandbox, heard } = await startListening();
    const { trigger_id } = await sandbox.post('shortcut', { user: 'U0BOB', callback_id: 'make' });
    expect(heard).toMatchObject([
      {
        type: 'shortcut',
        callback_id: 'make',
        trigger_id,
        user: { id: 'U0BOB', team_id: 'T0ACME' },
        team: { id: 'T0ACME' },
      },
    ]);
    expect(heard[0]).not.toHaveProperty('channel');
  });

  test('of a message has the message and a response URL', async () => {
    const { sandbox, heard } = await startListening();
    const { ts } = await sandbox.post('message', { user: 'U0BOB', channel: 'C0OPS', text: 'Keep me' });
    await sandbox.post('shortcut', { user: 'U0ALICE', callback_id: 'keep', channel: 'C0OPS', ts });
    expect(heard).toMatchObject([
      {
        type: 'message_action',
        callback_id: 'keep',
        channel: { id: 'C0OPS', name: 'ops' },
        message_ts: ts,
        message: { user: 'U0BOB', text: 'Keep me' },
        response_url: expect.stringContaining('/commands/T0ACME/'),
      },
    ]);
  });

  test('has the type that the manifest declares', async () => {
    const { sandbox } = await startListening();
    const { ts } = await sandbox.post('message', { user: 'U0BOB', channel: 'C0OPS', text: 'Keep me' });
    const global = await sandbox.status('shortcut', { user: 'U0BOB', callback_id: 'keep' });
    expect(global).toEqual({
      status: 404,
      answer: { error: 'The manifest declares no global shortcut keep' },
    });
    const ofMessage = await sandbox.status('shortcut', {
      user: 'U0BOB',
      callback_id: 'make',
      channel: 'C0OPS',
      ts,
    });
    expect(ofMessage.status).toBe(404);
  });
});

describe('closing a modal', () => {
  const view = (extra: object) => ({
    type: 'modal' as const,
    callback_id: 'form',
    title: plain('Form'),
    blocks: [
      {
        type: 'actions' as const,
        elements: [{ type: 'button' as const, action_id: 'deeper', text: plain('Deeper') }],
      },
    ],
    ...extra,
  });

  async function startStacked(bottom: object, top: object) {
    const closed: { callback_id: string; is_cleared: boolean }[] = [];
    const { sandbox } = await startListening((app) => {
      app.action('deeper', async ({ ack, body, client }) => {
        await ack();
        if (body.type !== 'block_actions') return;
        await client.apiCall('views.push', {
          trigger_id: body.trigger_id,
          view: view({ callback_id: 'top', ...top }),
        });
      });
      app.view({ callback_id: /.*/, type: 'view_closed' }, async ({ ack, body }) => {
        const { callback_id } = body.view;
        closed.push({ callback_id, is_cleared: 'is_cleared' in body && body.is_cleared });
        await ack();
      });
    });
    const { trigger_id } = await sandbox.post('shortcut', { user: 'U0BOB', callback_id: 'make' });
    await sandbox
      .client()
      .apiCall('views.open', { trigger_id, view: view({ callback_id: 'bottom', ...bottom }) });
    await sandbox.post('click', {
      user: 'U0BOB',
      view: (await sandbox.modal('U0BOB')).id,
      action_id: 'deeper',
    });
    await expect.poll(() => sandbox.modal('U0BOB')).toMatchObject({ callback_id: 'top' });
    const close = async () =>
      sandbox.post('close', { user: 'U0BOB', view: (await sandbox.modal('U0BOB')).id });
    return { sandbox, closed, close };
  }

  test('removes the top view, and notifies only an app that asked for it', async () => {
    const { sandbox, closed, close } = await startStacked({ notify_on_close: true }, {});
    expect(await close()).toMatchObject({ acknowledged: false });
    expect(await sandbox.modal('U0BOB')).toMatchObject({ callback_id: 'bottom' });
    expect(await close()).toMatchObject({ acknowledged: true });
    await expect(sandbox.modal('U0BOB')).rejects.toThrow('no modal');
    expect(closed).toEqual([{ callback_id: 'bottom', is_cleared: false }]);
  });

  test('with clear_on_close removes the whole stack', async () => {
    const { sandbox, closed, close } = await startStacked(
      { notify_on_close: true },
      { notify_on_close: true, clear_on_close: true },
    );
    await close();
    await expect(sandbox.modal('U0BOB')).rejects.toThrow('no modal');
    expect(closed.toSorted((a, b) => a.callback_id.localeCompare(b.callback_id))).toEqual([
      { callback_id: 'bottom', is_cleared: true },
      { callback_id: 'top', is_cleared: true },
    ]);
  });
});
