import { describe, expect, test } from 'vitest';
import { blocksText } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { countReplies, waitForView } from './access-driver.ts';

const running = useStack();

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

  test('granted to a group applies to its members', async () => {
    const { slack } = running;
    await slack.slash('access grant @on-call destroy');
    await slack.message('Granted: destroy on all VPS');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message('Reboot web-01 (VPS-10001)?', 'C0OPS', 'U0BOB');
    await slack.slash('reboot VPS-10001', { user: 'U0CAROL' });
    await slack.message("You don't have permission", 'C0OPS', 'U0CAROL');
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
});
