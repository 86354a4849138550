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
});

test('a member without rights reads on the App Home what to do', async () => {
  running = await startStack({ grants: [] });
  const { slack, service } = running;
  await slack.act('home', bob);
  await expect.poll(() => slack.home('U0BOB')).toContain("You don't have permission to view any VPS");
  expect(await slack.home('U0BOB')).toContain('Request Access');
  expect(await service.calls()).toEqual([]);
});
