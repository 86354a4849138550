import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, grantAll, type ModalView, type RunningStack, startStack } from '../../../stack.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

const bob = { user: 'U0BOB' };

/** Waits until a person's topmost modal contains a text. */
async function waitForView(words: string, user = 'U0ALICE'): Promise<ModalView> {
  return expect
    .poll(async () => (await running.slack.openModals(user)).map(blocksText).at(-1))
    .toContain(words)
    .then(() => running.slack.modal(user));
}

const right = (value: string) => ({ right: { value: { selected_option: { value } } } });
const people = (...selected_users: string[]) => ({ people: { value: { selected_users } } });
const vps = (value: string) => ({ vps: { value: { value } } });

async function countReplies(user: string, words: string): Promise<number> {
  const messages = await running.slack.messages('C0OPS', user);
  return messages.filter(({ text }) => text.includes(words)).length;
}

describe('a right granted by a command', () => {
  test('is granted, used, and revoked', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create VPS-10001 one', bob);
    await slack.message("You don't have permission to operate web-01 (VPS-10001)", 'C0OPS', 'U0BOB');
    await slack.slash('access grant @bob operate VPS-1000*');
    await slack.message('Granted: operate on VPS-1000*');
    await slack.slash('snapshot create VPS-10001 two', bob);
    await slack.message('Take snapshot two of web-01 (VPS-10001): 🔄 In progress');
    await slack.slash('snapshot create VPS-10012 three', bob);
    await slack.message("You don't have permission to operate legacy-01 (VPS-10012)", 'C0OPS', 'U0BOB');
    await slack.slash('access revoke @bob VPS-1000*');
    await slack.message('Revoked');
    await slack.slash('snapshot create VPS-10001 four', bob);
    await expect.poll(() => countReplies('U0BOB', 'operate web-01 (VPS-10001).')).toBe(2);
    expect(await service.changes()).toHaveLength(1);
  });

  test('by a hostname stays with the VPS that had it', async () => {
    const { slack, service } = running;
    await slack.slash('access grant @bob operate web-02, web-01 VPS-10003 web-02.acme.example');
    const granted = await slack.message(
      'Granted: operate on web-02 (VPS-10002), web-01 (VPS-10001), api-01 (VPS-10003)',
    );
    expect(blocksText(granted)).toContain('This stays with the VPS name, even if hostnames change.');
    await service.rename('VPS-10001', 'old.acme.example');
    await service.rename('VPS-10005', 'web-01.acme.example');
    await slack.slash('reboot VPS-10005', bob);
    await slack.message("You don't have permission to operate db-01 (VPS-10005)", 'C0OPS', 'U0BOB');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message(/^Reboot .*VPS-10001/, 'C0OPS', 'U0BOB');
    await slack.slash('access revoke @bob web-02');
    await slack.message('Revoked');
    await slack.slash('reboot VPS-10002', bob);
    await slack.message("You don't have permission to operate web-02 (VPS-10002)", 'C0OPS', 'U0BOB');
  });

  test('by a name that several VPS have asks which one', async () => {
    const { slack, service } = running;
    await service.rename('VPS-10002', 'web-01.other.example');
    await slack.slash('access grant @bob operate VPS-10003 web-01');
    const question = await slack.message('"web-01" could mean more than one VPS');
    await slack.click(question, 'step:1');
    await slack.message('Granted: operate on api-01 (VPS-10003), web-01.other.example (VPS-10002)');
  });

  test('granted to a group applies to its members', async () => {
    const { slack } = running;
    await slack.slash('access grant @on-call destroy');
    await slack.message('Granted: destroy on all VPS');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message('Reboot web-01 (VPS-10001)?', 'C0OPS', 'U0BOB');
    await slack.slash('reboot VPS-10001', { user: 'U0CAROL' });
    await slack.message("You don't have permission", 'C0OPS', 'U0CAROL');
  });

  test.each([
    ['to a guest', '@dave view', '@dave is a guest'],
    ['to someone of another organization', '@erin view', '@erin is not a member of this workspace'],
    ['to an app', '@Rackhand view', 'is an app'],
    ['to nobody that Slack knows', '@nobody view', "Slack doesn't know @nobody"],
    ['of nothing there is', '@bob everything', 'A right is view, reveal, operate, destroy or admin'],
    ['on no VPS', '@bob view web-77', 'Rackhand found no VPS called "web-77"'],
    ['on a pattern of hostnames', '@bob view web-*', 'web-* is a pattern of hostnames, and those can change'],
    ['admin on some VPS', '@bob admin VPS-10001', 'The right admin covers everything'],
    ['admin to everyone', 'everyone admin', "The right admin can't be granted to everyone"],
  ])('is not granted %s', async (_, words, says) => {
    await running.slack.slash(`access grant ${words}`);
    await running.slack.message(says);
  });

  test('is not changed by a person who is not an admin', async () => {
    const { slack } = running;
    for (const text of ['access grant @bob admin', 'access revoke @carol', 'access channel #ops destroy']) {
      await slack.slash(text, bob);
    }
    await expect
      .poll(() => countReplies('U0BOB', "You don't have permission to administer Rackhand"))
      .toBe(3);
    await slack.slash('reboot VPS-10001', bob);
    await slack.message("You don't have permission to operate", 'C0OPS', 'U0BOB');
    await slack.slash('show VPS-10001', { user: 'U0CAROL' });
    await slack.message(/^web-01 \(VPS-10001\)$/, 'C0OPS', 'U0CAROL');
  });

  test('never lowers a higher right', async () => {
    const { slack } = running;
    await slack.slash('access grant @bob operate');
    await slack.message('Granted: operate');
    await slack.slash('access grant @bob view');
    await slack.message('They already have this right, or a higher one: view on all VPS');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message('Reboot web-01 (VPS-10001)?', 'C0OPS', 'U0BOB');
  });
});

describe('the access modal', () => {
  test('lists, grants and revokes rights', async () => {
    const { slack } = running;
    await slack.slash('access');
    const overview = await waitForView('<@U0BOB>   *view* on all VPS');
    await slack.act('click', { user: 'U0ALICE', view: overview.id, action_id: 'access:open-grant' });
    const form = await waitForView('User groups');
    const offered = await slack.act('suggest', {
      user: 'U0ALICE',
      view: form.id,
      action_id: 'access:groups',
      text: 'rel',
    });
    expect(offered.options).toMatchObject([{ value: 'S0RELEASE' }]);
    const groups = { groups: { 'access:groups': { selected_options: ['S0RELEASE'] } } };
    const values = { ...people('U0BOB'), ...groups, ...right('destroy'), ...vps('VPS-10001 VPS-2*') };
    await slack.submit(form, values);
    await waitForView('<@U0BOB>   *destroy* on web-01 (VPS-10001), VPS-2*');
    const shown = await waitForView('<!subteam^S0RELEASE>   *destroy* on web-01 (VPS-10001), VPS-2*');
    expect(blocksText(shown)).toContain('Granted: destroy');
    expect(await slack.openModals()).toHaveLength(1);
    await slack.act('click', {
      user: 'U0ALICE',
      view: shown.id,
      block_id: 'grant:0',
      action_id: 'access:revoke',
    });
    const after = await waitForView('Revoked');
    expect(blocksText(after)).not.toContain('<!subteam^S0RELEASE>');
    expect(blocksText(after)).toContain('<@U0BOB>   *destroy*');
  });

  test('shows an input error at its field', async () => {
    const { slack, service } = running;
    await service.rename('VPS-10002', 'web-01.other.example');
    await slack.slash('access grant');
    const form = await slack.modal();
    const submit = (values: Record<string, unknown>) => slack.submit(form, { ...right('view'), ...values });
    expect((await submit(people('U0BOB', 'U0DAVE'))).errors).toEqual({
      people: "@dave is a guest, and guests can't use Rackhand.",
    });
    expect((await submit({ ...people('U0ERIN') })).errors).toEqual({
      people: '@erin is not a member of this workspace.',
    });
    expect((await submit(people())).errors).toEqual({ people: 'Name a person, a group, or everyone.' });
    expect((await submit({ ...people('U0BOB'), ...vps('web-*') })).errors).toEqual({
      vps: expect.stringContaining('web-* is a pattern of hostnames'),
    });
    expect((await submit({ ...people('U0BOB'), ...vps('VPS-10001 web-77 cache-1') })).errors).toEqual({
      vps: 'Rackhand found no VPS called "web-77". Check the name.',
    });
    expect((await submit({ ...people('U0BOB'), ...vps('cache-1') })).errors).toEqual({
      vps: 'Rackhand found no VPS called "cache-1". Did you mean cache-01 (VPS-10007)?',
    });
    expect((await submit({ ...people('U0BOB'), ...vps('web-01') })).errors).toEqual({
      vps: expect.stringMatching(
        /^"web-01" could mean more than one VPS\. Type the VPS name of .*VPS-10001.* or .*VPS-10002/,
      ),
    });
    const adminOnOneVps = { ...people('U0BOB'), ...right('admin'), ...vps('VPS-10001') };
    expect((await slack.submit(form, adminOnOneVps)).errors).toEqual({
      vps: 'The right admin covers everything: leave the VPS out.',
    });
    await slack.submit(form, { ...people('U0BOB'), ...right('admin'), ...vps('') });
    await waitForView('<@U0BOB>   *admin* on all VPS');
  });

  test('limits a channel and removes the limit', async () => {
    const { slack } = running;
    await slack.slash('access channel', { channel: 'C0OPS' });
    const form = await slack.modal();
    expect(blocksText(form)).toContain('"initial_conversation":"C0OPS"');
    await slack.submit(form, right('view'));
    const shown = await waitForView('<#C0OPS>   at most *view*');
    expect(blocksText(shown)).toContain('"accessibility_label":"Remove Limit: at most view"');
    await slack.slash('reboot VPS-10001');
    await slack.message('This channel allows only "view", so no one can operate a VPS from here');
    await slack.slash('reboot VPS-10001', { channel: 'C0GENERAL' });
    await slack.message('Reboot web-01 (VPS-10001)?', 'C0GENERAL');
    await slack.act('click', { user: 'U0ALICE', view: shown.id, action_id: 'access:lift' });
    await waitForView('The limit was removed');
    await slack.slash('reboot VPS-10001');
    await slack.message('Reboot web-01 (VPS-10001)?');
  });

  test("is replaced by people's own rights if they are not admins", async () => {
    const { slack } = running;
    await slack.slash('access', bob);
    const reply = await slack.message('Your access', 'C0OPS', 'U0BOB');
    expect(blocksText(reply)).toContain('all VPS');
    expect(await slack.openModals('U0BOB')).toEqual([]);
  });

  test('mentions nobody when its list is posted to the channel', async () => {
    const { slack } = running;
    await slack.slash('access grant @on-call operate');
    await slack.message('Granted');
    await slack.mention('access --public');
    const posted = await slack.message('Access in this workspace', 'C0OPS', 'U0CAROL');
    expect(posted.ephemeral).toBe(false);
    expect(posted.pings).toEqual([]);
    for (const name of ['@bob', '@on-call']) expect(blocksText(posted)).toContain(name);
    const inGeneral = { channel: 'C0GENERAL' };
    await slack.mention('access', inGeneral);
    await slack.click(await slack.message('Access in this workspace', 'C0GENERAL'), 'share', inGeneral);
    expect((await slack.message('Access in this workspace', 'C0GENERAL', 'U0CAROL')).pings).toEqual([]);
  });

  test('is replaced by a message with buttons after a mention', async () => {
    const { slack } = running;
    await slack.mention('access');
    const reply = await slack.message('Access in this workspace');
    expect(blocksText(reply)).toContain('"user_id":"U0BOB"');
    await slack.click(reply, 'step:0');
    await waitForView('User groups');
  });
});

describe('a person without a right', () => {
  test('requests it and gets exactly that right', async () => {
    const { slack } = running;
    await slack.slash('reboot VPS-10001', bob);
    const refusal = await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
    await slack.click(refusal, 'step:0', bob);
    await slack.message('Asked one admin for operate on web-01 (VPS-10001)', 'C0OPS', 'U0BOB');
    const card = await slack.message('Access request: operate on web-01 (VPS-10001)', 'U0ALICE');
    expect(blocksText(card)).toContain('<@U0BOB> requests access');
    expect(blocksText(card)).toContain('view');
    expect(blocksText(card)).toContain('Denied before: *Reboot web-01 (VPS-10001)*');
    await slack.click(card, 'request:grant', { channel: 'U0ALICE' });
    const granted = await slack.message('Granted: operate on web-01 (VPS-10001)', 'U0BOB', 'U0BOB');
    expect((await slack.messages('U0ALICE')).map(({ text }) => text)).toEqual([
      '✅ Granted: operate on web-01 (VPS-10001)',
    ]);
    expect(blocksText(granted)).toContain('"Reboot web-01 (VPS-10001)"');
    await slack.click(granted, 'step:0', { user: 'U0BOB', channel: 'U0BOB' });
    await slack.message('Reboot web-01 (VPS-10001)?', 'U0BOB', 'U0BOB');
    await slack.slash('reboot VPS-10002', bob);
    await slack.message("You don't have permission to operate web-02 (VPS-10002)", 'C0OPS', 'U0BOB');
  });

  test('is notified when it is declined, and admins are not asked twice', async () => {
    const { slack } = running;
    await slack.slash('access ask destroy VPS-10001', bob);
    await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
    await slack.slash('access ask destroy VPS-10001', bob);
    await slack.message('Already requested: destroy on web-01 (VPS-10001)', 'C0OPS', 'U0BOB');
    const cards = await slack.messages('U0ALICE');
    expect(cards).toHaveLength(1);
    const [card] = cards;
    if (!card) throw new Error('nobody was asked');
    await slack.click(card, 'request:decline', { channel: 'U0ALICE' });
    await slack.message('Declined: destroy on VPS-10001', 'U0BOB', 'U0BOB');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
  });

  test('gets no form for an operation that would be denied', async () => {
    const { slack } = running;
    await slack.slash('reboot', bob);
    const refusal = await slack.message("You don't have permission to operate any VPS", 'C0OPS', 'U0BOB');
    expect(await slack.openModals('U0BOB')).toEqual([]);
    await slack.click(refusal, 'step:0', bob);
    expect(blocksText(await slack.modal('U0BOB'))).toContain('web-01 VPS-200*');
  });

  test('gets the form, filled with the input, after the grant', async () => {
    const { slack } = running;
    await slack.slash('snapshot create VPS-10003', bob);
    await slack.click(await slack.message("You don't have permission", 'C0OPS', 'U0BOB'), 'step:0', bob);
    const asked = await slack.message('Asked one admin for operate on api-01 (VPS-10003)', 'C0OPS', 'U0BOB');
    expect(blocksText(asked)).not.toContain('Post to Channel');
    const card = await slack.message('Access request', 'U0ALICE');
    await slack.click(card, 'request:grant', { channel: 'U0ALICE' });
    const granted = await slack.message('Granted: operate on api-01 (VPS-10003)', 'U0BOB', 'U0BOB');
    expect(blocksText(granted)).toContain('Take a snapshot…');
    await slack.click(granted, 'step:0', { user: 'U0BOB', channel: 'U0BOB' });
    expect(blocksText(await slack.modal('U0BOB'))).toContain('VPS-10003');
  });

  test('requests it from the other admins', async () => {
    const { slack } = running;
    await slack.slash('access grant @carol admin');
    await slack.message('Granted: admin');
    await slack.slash('access ask operate', bob);
    await slack.message('Asked 2 admins for operate on all VPS', 'C0OPS', 'U0BOB');
    const [card] = await slack.messages('U0CAROL', 'U0CAROL');
    if (!card) throw new Error('Carol was not asked');
    await slack.slash('access revoke @carol');
    await slack.message('Revoked');
    await slack.click(card, 'request:grant', { user: 'U0CAROL', channel: 'U0CAROL' });
    await slack.message("You don't have permission to administer Rackhand", 'U0CAROL', 'U0CAROL');
    const hers = await slack.earlierMessage('Access request', 'U0ALICE');
    await slack.click(hers, 'request:grant', { channel: 'U0ALICE' });
    await slack.message('Granted: operate on all VPS', 'U0BOB', 'U0BOB');
  });
});

describe('a person who can view some VPS', () => {
  beforeEach(async () => {
    await running.close();
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
    await running.close();
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
    await expect.poll(() => countReplies('U0BOB', "You don't have permission")).toBe(2);
    await slack.click(backup, 'secret', bob);
    await waitForView("You don't have permission", 'U0BOB');
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
  test.each([
    ['U0DAVE', "Guests can't use Rackhand"],
    ['U0ERIN', 'Only members of this workspace can use Rackhand'],
  ])('%s reads why at every entry point', async (user, words) => {
    const { slack, service } = running;
    await slack.slash('help', { user });
    await expect.poll(() => countReplies(user, words)).toBe(1);
    await slack.mention('help', { user });
    await expect.poll(() => countReplies(user, words)).toBe(2);
    await slack.slash('show VPS-10001 --public');
    const answer = await slack.message(/^web-01 \(VPS-10001\)$/);
    const made = (await service.calls()).length;
    await slack.click(answer, 'step:0', { user });
    await expect.poll(() => countReplies(user, words)).toBe(3);
    await slack.act('shortcut', { user, callback_id: 'run-operation' });
    expect(blocksText(await slack.modal(user))).toContain(words);
    await slack.act('shortcut', { user, callback_id: 'use-vps', channel: 'C0OPS', ts: answer.ts });
    await waitForView(words, user);
    await slack.act('home', { user });
    await expect.poll(() => slack.home(user)).toContain(words);
    expect((await service.calls()).length).toBe(made);
  });

  test('is recorded in the activity log', async () => {
    const { slack } = running;
    await slack.slash('help', { user: 'U0DAVE' });
    await expect.poll(() => countReplies('U0DAVE', 'Guests')).toBe(1);
    await slack.slash('history');
    expect(blocksText(await slack.message(/./))).toContain('use Rackhand');
  });
});

test('a member without rights reads on the App Home what to do', async () => {
  await running.close();
  running = await startStack({ grants: [] });
  const { slack, service } = running;
  await slack.act('home', bob);
  await expect.poll(() => slack.home('U0BOB')).toContain("You don't have permission to view any VPS");
  expect(await slack.home('U0BOB')).toContain('Request Access');
  expect(await service.calls()).toEqual([]);
});
