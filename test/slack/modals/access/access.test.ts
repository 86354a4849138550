import { describe, expect, test } from 'vitest';
import { blocksText, type ModalView, type RunningStack } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { suggest, toTextValue } from '../form/form-driver.ts';

type DrivenStack = Pick<RunningStack, 'slack'>;

/** Waits until a person's topmost modal contains a text. */
async function waitForView({ slack }: DrivenStack, words: string, user = 'U0ALICE'): Promise<ModalView> {
  await expect
    .poll(async () => (await slack.openModals(user)).map(blocksText).at(-1)?.replaceAll('\u200b', ''))
    .toContain(words);
  return slack.modal(user);
}

/** Counts the messages with a text that a person sees in the channel. */
async function countReplies({ slack }: DrivenStack, user: string, words: string): Promise<number> {
  const messages = await slack.messages('C0OPS', user);
  return messages.filter(({ text }) => text.includes(words)).length;
}

const running = useStack();

test('a right is granted and revoked with forms', async () => {
  const { slack } = running;
  await slack.slash('access');
  const overview = await slack.message('Access in this workspace');
  await slack.click(overview, 'Grant…');
  const form = await waitForView(running, 'reveal: also see secrets');
  expect(await suggest(running, 'who', 'rel')).toEqual(['S0RELEASE']);
  await slack.submit(form, {
    who: { remote: { selected_option: { value: 'S0RELEASE' } } },
    right: { value: { selected_option: { value: 'destroy' } } },
    vps: { value: { value: 'VPS-10001 VPS-2*' } },
  });
  await slack.message('Granted: destroy on web-01 (VPS-10001), VPS-2*');
  await slack.slash('access');
  expect(blocksText(await slack.message('Access in this workspace'))).toContain('S0RELEASE');
  await slack.slash('access revoke');
  await slack.submit(await waitForView(running, 'Keeps the other rights'), {
    who: { remote: { selected_option: { value: 'S0RELEASE' } } },
  });
  await slack.message('Revoked');
});

test('a channel is limited, and the limit is removed', async () => {
  const { slack } = running;
  await slack.slash('access channel');
  await slack.submit(await waitForView(running, 'admin: no limit'), {
    channel: { value: { selected_conversation: 'C0OPS' } },
    right: { value: { selected_option: { value: 'view' } } },
  });
  await slack.message('The channel is limited to "view"');
  await slack.slash('reboot VPS-10001');
  await slack.message('This channel allows only "view", so no one can operate a VPS from here');
  await slack.slash('reboot VPS-10001', { channel: 'C0GENERAL' });
  await slack.message('Reboot web-01 (VPS-10001)?', 'C0GENERAL');
  await slack.slash('access channel #ops admin', { channel: 'C0GENERAL' });
  await slack.message('The limit was removed', 'C0GENERAL');
  await slack.slash('reboot VPS-10001');
  await slack.message('Reboot web-01 (VPS-10001)?');
});

const bob = { user: 'U0BOB' };
const asAlice = { channel: 'U0ALICE' };

test('a person without a right requests it, gets exactly that right, and can run what was denied', async () => {
  const { slack } = running;
  await slack.slash('reboot VPS-10001', bob);
  const refusal = await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
  await slack.click(refusal, 'Request Access', bob);
  await slack.message('Asked one admin for operate on web-01 (VPS-10001)', 'C0OPS', 'U0BOB');
  const card = await slack.message('operate on web-01 (VPS-10001): approval needed', 'U0ALICE');
  expect(blocksText(card)).toContain('@bob requests this');
  expect(blocksText(card)).toContain('view on all VPS');
  expect(blocksText(card)).toContain('Reboot web-01 (VPS-10001)');
  await slack.click(card, 'Approve', asAlice);
  const granted = await slack.message('operate on web-01 (VPS-10001): decided', 'U0BOB', 'U0BOB');
  expect(blocksText(granted)).toContain('✅ Approved by @alice.');
  await slack.message('operate on web-01 (VPS-10001): decided', 'U0ALICE');
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
  const card = await slack.message('operate on all VPS: approval needed', 'U0ALICE');
  expect(blocksText(card)).toContain('on call');
  await slack.click(card, 'Approve Less…', asAlice);
  const form = await waitForView(running, '8h');
  expect(await slack.submit(form, {})).toMatchObject({ response_action: 'errors' });
  await slack.submit(form, {
    vps: toTextValue('VPS-100*'),
    for: toTextValue('8h'),
  });
  await slack.message('operate on VPS-100* for 8h: decided', 'U0BOB', 'U0BOB');
  await slack.slash('access', bob);
  expect(blocksText(await slack.message('Your access', 'C0OPS', 'U0BOB'))).toContain('VPS-100*');
});

test('a request for the right destroy says what is at stake, and is withdrawn by its asker', async () => {
  const { slack } = running;
  await slack.slash('access ask destroy', bob);
  const asked = await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
  const card = blocksText(await slack.message(/^destroy .*: approval needed/, 'U0ALICE'));
  expect(card).toContain('@bob gets: destroy on all VPS. The destroy right allows deleting data for good.');
  await slack.click(asked, 'Withdraw Request', bob);
  const closed = await slack.message(/^destroy .*: decided/, 'U0ALICE');
  expect(blocksText(closed)).toContain('🚫 Withdrawn.');
  expect(blocksText(closed)).not.toContain('"Approve"');
});

describe('with the right to view some VPS', () => {
  const some = useStack({ grants: [{ grantee: 'U0BOB', right: 'view', pattern: 'VPS-1000*' }] });

  test('a person sees only those in the list, in selects and on the App Home, and others nothing', async () => {
    const { slack } = some;
    await slack.slash('list', bob);
    const list = await slack.message('9 VPS', 'C0OPS', 'U0BOB');
    expect(blocksText(list)).not.toContain('VPS-10010');
    await slack.slash('show', bob);
    const { id: view } = await slack.modal('U0BOB');
    const select = { user: 'U0BOB', view, action_id: 'remote', text: '' };
    expect((await slack.act('suggest', select)).options).toHaveLength(9);
    await slack.act('home', bob);
    await expect.poll(() => slack.home('U0BOB')).toContain('VPS-10009');
    expect(await slack.home('U0BOB')).not.toContain('VPS-10010');
    await slack.act('home', { user: 'U0CAROL' });
    await expect.poll(() => slack.home('U0CAROL')).toContain("You don't have permission to view any VPS");
    expect(await slack.home('U0CAROL')).toContain('Request Access');
  });
});

test.each([
  ['U0DAVE', "Guests can't use Rackhand"],
  ['U0ERIN', 'Only members of this workspace can use Rackhand'],
])('%s, who is not a member, reads why at every entry point', async (user, words) => {
  const { slack, service } = running;
  await slack.slash('help', { user });
  await expect.poll(() => countReplies(running, user, words)).toBe(1);
  await slack.mention('help', { user });
  await expect.poll(() => countReplies(running, user, words)).toBe(2);
  await slack.slash('show VPS-10001 --public');
  const answer = await slack.message(/^web-01 \(VPS-10001\)$/);
  const made = (await service.calls()).length;
  await slack.click(answer, 'Reboot', { user });
  await expect.poll(() => countReplies(running, user, words)).toBe(3);
  await slack.act('shortcut', { user, callback_id: 'run-operation' });
  expect(blocksText(await slack.modal(user))).toContain(words);
  await slack.act('shortcut', { user, callback_id: 'use-vps', channel: 'C0OPS', ts: answer.ts });
  await waitForView(running, words, user);
  await slack.act('home', { user });
  await expect.poll(() => slack.home(user)).toContain(words);
  expect((await service.calls()).length).toBe(made);
});
