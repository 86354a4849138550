import { expect, test } from 'vitest';
import type { ModalView } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

const running = useStack({}, 'group');

function chosen(value: string) {
  return { type: 'static_select', selected_option: { text: { type: 'plain_text', text: value }, value } };
}

async function modalWith(words: string): Promise<ModalView> {
  await expect.poll(async () => JSON.stringify(await running.slack.openModals())).toContain(words);
  const top = (await running.slack.openModals()).at(-1);
  if (!top) throw new Error('no modal is open');
  return top;
}

test('the global shortcut runs an operation and replies in its own modal', async () => {
  const { slack } = running;
  await slack.act('shortcut', { user: 'U0ALICE', callback_id: 'run-operation' });
  const chooser = await modalWith('Run a VPS operation');
  await slack.submit(chooser, { operation: { value: chosen('list') } });
  await modalWith('VPS-10012');
  expect(await slack.messages()).toEqual([]);
});

test('the message shortcut finds the VPS named in the message and replies beside it', async () => {
  const { slack } = running;
  await slack.act('message', {
    user: 'U0BOB',
    channel: 'C0OPS',
    text: 'vps-10004 is slow, and VPS-10007 too',
  });
  const message = await slack.message('is slow');
  await slack.act('shortcut', {
    user: 'U0ALICE',
    callback_id: 'use-vps',
    channel: 'C0OPS',
    ts: message.ts,
  });
  const chooser = await modalWith('VPS in this message');
  expect(JSON.stringify(chooser)).toContain('VPS-10007');
  await slack.submit(chooser, { vps: { value: chosen('VPS-10004') }, operation: { value: chosen('show') } });
  const answer = await slack.message(/^worker-01 \(VPS-10004\)$/);
  expect(answer.ephemeral).toBe(true);
});
