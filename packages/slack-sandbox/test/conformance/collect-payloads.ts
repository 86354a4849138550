import { startSandbox, startSocketApp } from '../harness.ts';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const options = ['a', 'b'].map((value) => ({ text: plain(value), value }));

const elements = [
  { type: 'button' as const, action_id: 'go', value: '1', style: 'primary' as const, text: plain('Go') },
  { type: 'static_select' as const, action_id: 'pick', placeholder: plain('Pick'), options },
  { type: 'users_select' as const, action_id: 'who' },
  { type: 'conversations_select' as const, action_id: 'where' },
  { type: 'channels_select' as const, action_id: 'channel' },
  { type: 'datepicker' as const, action_id: 'day' },
  { type: 'timepicker' as const, action_id: 'time' },
];

/** What is chosen in each element, by action ID. */
const choices = {
  ...{ go: '1', pick: 'a', who: 'U0BOB', where: 'C0OPS', channel: 'C0OPS' },
  ...{ day: '2030-01-20', time: '12:30' },
};

/** Types a command, clicks, runs shortcuts, submits and closes a modal. Returns what Slack sent the app. */
export async function collectPayloads(): Promise<readonly Record<string, unknown>[]> {
  const sandbox = await startSandbox();
  const { chat, views } = sandbox.client();
  await startSocketApp(sandbox, (app) => {
    app.command(/.*/, ({ ack }) => ack());
    app.shortcut(/.*/, ({ ack }) => ack());
    app.action(/.*/, ({ ack }) => ack());
    app.view(/.*/, ({ ack }) => ack());
    app.view({ type: 'view_closed', callback_id: /.*/ }, ({ ack }) => ack());
  });
  const who = { user: 'U0ALICE' };
  const blocks = [{ type: 'actions' as const, block_id: 'all', elements }];

  await sandbox.post('slash', { ...who, channel: 'C0OPS', command: '/vps', text: 'list' });
  const { ts } = await chat.postMessage({ channel: 'C0OPS', text: 'Card', blocks });
  const card = { ...who, channel: 'C0OPS', ts };
  for (const [action_id, value] of Object.entries(choices)) {
    await sandbox.post('click', { ...card, action_id, value });
  }
  await sandbox.post('shortcut', { ...card, callback_id: 'keep' });

  for (const end of ['submit', 'close']) {
    const { trigger_id } = await sandbox.post('shortcut', { ...who, callback_id: 'make' });
    await views.open({
      trigger_id: String(trigger_id),
      view: {
        type: 'modal',
        callback_id: 'form',
        title: plain('Form'),
        submit: plain('Send'),
        close: plain('Close'),
        notify_on_close: true,
        blocks,
      },
    });
    const { id: view } = await sandbox.modal(who.user);
    await sandbox.post('click', { ...who, view, action_id: 'go', value: '1' });
    await sandbox.post(end, { ...who, view });
  }
  const sent = (await sandbox.traffic()).filter(({ direction }) => direction === 'to_app');
  return sent
    .filter(({ kind }) => kind === 'slash_commands' || kind === 'interactive')
    .map(({ payload }) => payload);
}
