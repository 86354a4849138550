import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, type RunningStack, startStack } from '../../../stack.ts';
import { countReplies, waitForView } from './access-driver.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

const bob = { user: 'U0BOB' };

const right = (value: string) => ({ right: { value: { selected_option: { value } } } });
const people = (...selected_users: string[]) => ({ people: { value: { selected_users } } });
const vps = (value: string) => ({ vps: { value: { value } } });

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
    await expect.poll(() => countReplies(running, 'U0BOB', 'operate web-01 (VPS-10001).')).toBe(2);
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
    await slack.click(question, 'web-01.other.example (VPS-10002) · running');
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

  test('is not granted to guests, strangers and apps, nor on what does not exist', async () => {
    for (const [words, says] of [
      ['@dave view', '@dave is a guest'],
      ['@erin view', '@erin is not a member of this workspace'],
      ['@Rackhand view', 'is an app'],
      ['@nobody view', "Slack doesn't know @nobody"],
      ['@bob everything', 'A right is view, reveal, operate, destroy or admin'],
      ['@bob view web-77', 'Rackhand found no VPS called "web-77"'],
      ['@bob view web-*', 'web-* is a pattern of hostnames, and those can change'],
      ['@bob admin VPS-10001', 'The right admin covers everything'],
      ['everyone admin', "The right admin can't be granted to everyone"],
    ] as const) {
      await running.slack.slash(`access grant ${words}`);
      await running.slack.message(says);
    }
  });

  test('is not changed by a person who is not an admin', async () => {
    const { slack } = running;
    for (const text of ['access grant @bob admin', 'access revoke @carol', 'access channel #ops destroy']) {
      await slack.slash(text, bob);
    }
    await expect
      .poll(() => countReplies(running, 'U0BOB', "You don't have permission to administer Rackhand"))
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
    const overview = await waitForView(running, '<@U0BOB>   *view* on all VPS');
    await slack.act('click', { user: 'U0ALICE', view: overview.id, action_id: 'access:open-grant' });
    const form = await waitForView(running, 'User groups');
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
    await waitForView(running, '<@U0BOB>   *destroy* on web-01 (VPS-10001), VPS-2*');
    const shown = await waitForView(
      running,
      '<!subteam^S0RELEASE>   *destroy* on web-01 (VPS-10001), VPS-2*',
    );
    expect(blocksText(shown)).toContain('Granted: destroy');
    expect(await slack.openModals()).toHaveLength(1);
    await slack.act('click', {
      user: 'U0ALICE',
      view: shown.id,
      block_id: 'grant:0',
      action_id: 'access:revoke',
    });
    const after = await waitForView(running, 'Revoked');
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
    await waitForView(running, '<@U0BOB>   *admin* on all VPS');
  });

  test('limits a channel and removes the limit', async () => {
    const { slack } = running;
    await slack.slash('access channel', { channel: 'C0OPS' });
    const form = await slack.modal();
    expect(blocksText(form)).toContain('"initial_conversation":"C0OPS"');
    await slack.submit(form, right('view'));
    const shown = await waitForView(running, '<#C0OPS>   at most *view*');
    expect(blocksText(shown)).toContain('"accessibility_label":"Remove Limit: at most view"');
    await slack.slash('reboot VPS-10001');
    await slack.message('This channel allows only "view", so no one can operate a VPS from here');
    await slack.slash('reboot VPS-10001', { channel: 'C0GENERAL' });
    await slack.message('Reboot web-01 (VPS-10001)?', 'C0GENERAL');
    await slack.act('click', { user: 'U0ALICE', view: shown.id, action_id: 'access:lift' });
    await waitForView(running, 'The limit was removed');
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
    await slack.click(reply, 'Grant…');
    await waitForView(running, 'User groups');
  });
});
