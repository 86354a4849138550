import { afterEach, beforeEach, expect, test } from 'vitest';
import { blocksText, type RunningStack, startStack } from '../../../stack.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

const bob = { user: 'U0BOB' };
const asAlice = { channel: 'U0ALICE' };

test('a person without a right requests it, gets exactly that right, and can run what was denied', async () => {
  const { slack } = running;
  await slack.slash('reboot VPS-10001', bob);
  const refusal = await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
  await slack.click(refusal, 'Request Access', bob);
  await slack.message('Asked one admin for operate on web-01 (VPS-10001)', 'C0OPS', 'U0BOB');
  const card = await slack.message('Approval needed: operate on web-01 (VPS-10001)', 'U0ALICE');
  expect(blocksText(card)).toContain('<@U0BOB> requests this');
  expect(blocksText(card)).toContain('view on all VPS');
  expect(blocksText(card)).toContain('Reboot web-01 (VPS-10001)');
  await slack.click(card, 'Approve', asAlice);
  const granted = await slack.message('Decided: operate on web-01 (VPS-10001)', 'U0BOB', 'U0BOB');
  expect(blocksText(granted)).toContain('✅ Approved by <@U0ALICE>.');
  await slack.message('Decided: operate on web-01 (VPS-10001)', 'U0ALICE');
  await slack.click(granted, 'Reboot web-01 (VPS-10001)', { user: 'U0BOB', channel: 'U0BOB' });
  await slack.message('Reboot web-01 (VPS-10001)?', 'U0BOB', 'U0BOB');
  await slack.slash('reboot VPS-10002', bob);
  await slack.message("You don't have permission to operate web-02 (VPS-10002)", 'C0OPS', 'U0BOB');
  await slack.slash('history --kind settings');
  expect(blocksText(await slack.message('Activity'))).toContain('operate on web-01 (VPS-10001)');
});

test('an admin grants a part of what was asked for, from a form', async () => {
  const { slack } = running;
  await slack.slash('access ask operate --reason "on call"', bob);
  await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
  const card = await slack.message('Approval needed: operate on all VPS', 'U0ALICE');
  expect(blocksText(card)).toContain('on call');
  await slack.click(card, 'Approve Less…', asAlice);
  await slack.untilSeen(async () => expect(blocksText(await slack.modal())).toContain('8h'));
  const form = await slack.modal();
  const text = (value: string) => ({ value: { type: 'plain_text_input', value } });
  await slack.act('submit', {
    user: 'U0ALICE',
    view: form.id,
    values: { vps: text('VPS-100*'), for: text('8h') },
  });
  await slack.message('Decided: operate on VPS-100* for 8h', 'U0BOB', 'U0BOB');
  await slack.slash('access', bob);
  expect(blocksText(await slack.message('Your access', 'C0OPS', 'U0BOB'))).toContain('VPS-100*');
});

test('approving a request for the right destroy asks in a dialog that names the person', async () => {
  const { slack } = running;
  await slack.slash('access ask destroy', bob);
  await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
  const card = blocksText(await slack.message('Approval needed: destroy', 'U0ALICE'));
  expect(card).toContain('@bob gets: destroy on all VPS. With it, data can be deleted for good.');
});

test('the asker withdraws a request, whose card then has no buttons', async () => {
  const { slack } = running;
  await slack.slash('access ask operate VPS-10001', bob);
  const asked = await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
  await slack.click(asked, 'Withdraw Request', bob);
  const closed = await slack.message('Decided: operate', 'U0ALICE');
  expect(blocksText(closed)).toContain('🚫 Withdrawn.');
  expect(blocksText(closed)).not.toContain('"Approve"');
});
