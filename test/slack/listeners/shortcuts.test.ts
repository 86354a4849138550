import { afterEach, beforeEach, expect, test } from 'vitest';
import { findVpsNames } from '../../../src/slack/modals/shortcuts/find-vps-names.ts';
import { type ModalView, type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

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

test("the shortcut's options show each operation's summary and command, untruncated", async () => {
  const { slack } = running;
  await slack.act('shortcut', { user: 'U0ALICE', callback_id: 'run-operation' });
  const text = JSON.stringify(await modalWith('Run a VPS operation'));
  expect(text).toContain('"Create a load balancer for a domain · lb create"');
  const options = [...text.matchAll(/"text":"([^"]*)","emoji":\w+\},"value":"([^"]*)"/g)];
  expect(options.length).toBeGreaterThan(40);
  for (const [, option = '', name = ''] of options) expect(option.endsWith(` · ${name}`)).toBe(true);
});

test('the global shortcut opens the form of an operation that needs more input', async () => {
  const { slack } = running;
  await slack.act('shortcut', { user: 'U0ALICE', callback_id: 'run-operation' });
  const chooser = await modalWith('Run a VPS operation');
  await slack.submit(chooser, { operation: { value: chosen('reboot') } });
  const form = await modalWith('Reboot a VPS');
  await slack.submit(form, { vps: { remote: { ...chosen('VPS-10002'), type: 'external_select' } } });
  await modalWith('Reboot web-02 (VPS-10002)?');
  expect(await running.service.changes()).toEqual([]);
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

test('the message shortcut asks for a VPS if the message names none', async () => {
  const { slack } = running;
  await slack.act('message', { user: 'U0BOB', channel: 'C0OPS', text: 'good morning' });
  const { ts } = await slack.message('good morning');
  await slack.act('shortcut', { user: 'U0ALICE', callback_id: 'use-vps', channel: 'C0OPS', ts });
  await slack.submit(await modalWith("doesn't name a VPS"), { operation: { value: chosen('show') } });
  await modalWith('Show a VPS');
});

test.each([
  ['vps-10004, VPS-10004 and VPS-abc_1.', ['VPS-10004', 'VPS-abc_1']],
  ['none here: vps, myvps-1, VPS-', []],
])('names are found in %j', (text, names) => {
  expect(findVpsNames({ text })).toEqual(names);
});
