import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, grantAll, type RunningStack, startStack } from '../../../stack.ts';
import { countReplies, waitForView } from './access-driver.ts';

let running: RunningStack;
afterEach(() => running.close());

const bob = { user: 'U0BOB' };

describe('a person who can view some VPS', () => {
  beforeEach(async () => {
    running = await startStack({ grants: [{ grantee: 'U0BOB', right: 'view', pattern: 'VPS-1000*' }] });
  });

  test('sees only those in the list, in selects and on the App Home', async () => {
    const { slack } = running;
    await slack.slash('list', bob);
    const list = await slack.message('9 VPS', 'C0OPS', 'U0BOB');
    expect(blocksText(list)).not.toContain('VPS-10010');
    await slack.slash('show', bob);
    const form = await slack.modal('U0BOB');
    const suggested = await slack.act('suggest', {
      user: 'U0BOB',
      view: form.id,
      action_id: 'remote',
      text: '',
    });
    expect(suggested.options).toHaveLength(9);
    await slack.act('home', { user: 'U0BOB' });
    const home = await expect
      .poll(() => slack.home('U0BOB'))
      .toContain('VPS-10009')
      .then(() => slack.home('U0BOB'));
    expect(home).not.toContain('VPS-10010');
  });

  test('is denied operations on the whole account', async () => {
    const { slack } = running;
    await slack.slash('webgate', bob);
    await slack.message(
      "You don't have permission to view every VPS, as this command requires",
      'C0OPS',
      'U0BOB',
    );
  });

  test('does not learn other VPS names', async () => {
    const { slack } = running;
    await slack.slash('show vps-1001', bob);
    await slack.message("You don't have permission to view VPS-1001.", 'C0OPS', 'U0BOB');
    await slack.slash('show VPS_10011', bob);
    const refusal = await slack.message('Rackhand found no VPS called', 'C0OPS', 'U0BOB');
    expect(blocksText(refusal)).not.toContain('VPS-10011');
  });
});

describe('a right that is revoked meanwhile', () => {
  beforeEach(async () => {
    running = await startStack({ hosting: { vpsCount: 60 }, grants: grantAll('destroy', 'U0BOB') });
  });

  async function takeBack(): Promise<void> {
    await running.slack.slash('access revoke @bob');
    await running.slack.message('Revoked');
  }

  const refused = () => running.slack.message("You don't have permission", 'C0OPS', 'U0BOB');

  test('denies the click of a confirmation', async () => {
    const { slack, service } = running;
    await slack.slash('reboot VPS-10001', bob);
    const card = await slack.message('Reboot web-01 (VPS-10001)?', 'C0OPS', 'U0BOB');
    await takeBack();
    await slack.click(card, 'confirm', bob);
    await refused();
    expect(await service.changes()).toEqual([]);
  });

  test('denies a submitted form', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create VPS-10001', bob);
    const form = await slack.modal('U0BOB');
    await takeBack();
    await slack.submit(form, { name: { value: { value: 'nightly' } } }, 'U0BOB');
    await refused();
    expect(await service.changes()).toEqual([]);
  });

  test('denies the buttons of a reply, and its secrets', async () => {
    const { slack } = running;
    await slack.slash('list', bob);
    const list = await slack.message('60 VPS', 'C0OPS', 'U0BOB');
    await slack.slash('backup show VPS-10001', bob);
    const backup = await slack.message('Backup', 'C0OPS', 'U0BOB');
    await takeBack();
    await slack.click(list, 'page:next', bob);
    await slack.click(list, 'share', bob);
    await expect.poll(() => countReplies(running, 'U0BOB', "You don't have permission")).toBe(2);
    await slack.click(backup, 'secret', bob);
    await waitForView(running, "You don't have permission", 'U0BOB');
    expect((await slack.messages('C0OPS', 'U0CAROL')).filter(({ text }) => text === '60 VPS')).toEqual([]);
  });

  test('empties the selects', async () => {
    const { slack } = running;
    await slack.slash('reboot', bob);
    const form = await slack.modal('U0BOB');
    const suggest = { user: 'U0BOB', view: form.id, action_id: 'remote', text: 'VPS' };
    expect((await slack.act('suggest', suggest)).options).not.toEqual([]);
    await takeBack();
    expect((await slack.act('suggest', suggest)).options).toEqual([]);
  });
});

describe('a person who is not a member', () => {
  beforeEach(async () => {
    running = await startStack();
  });

  test.each([
    ['U0DAVE', "Guests can't use Rackhand"],
    ['U0ERIN', 'Only members of this workspace can use Rackhand'],
  ])('%s reads why at every entry point', async (user, words) => {
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

  test('is recorded in the activity log', async () => {
    const { slack } = running;
    await slack.slash('help', { user: 'U0DAVE' });
    await expect.poll(() => countReplies(running, 'U0DAVE', 'Guests')).toBe(1);
    await slack.slash('history');
    expect(blocksText(await slack.message(/./))).toContain('use Rackhand');
  });
});

test('a member without rights reads on the App Home what to do', async () => {
  running = await startStack({ grants: [] });
  const { slack, service } = running;
  await slack.act('home', bob);
  await expect.poll(() => slack.home('U0BOB')).toContain("You don't have permission to view any VPS");
  expect(await slack.home('U0BOB')).toContain('Request Access');
  expect(await service.calls()).toEqual([]);
});
