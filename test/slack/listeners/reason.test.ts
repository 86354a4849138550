import { describe, expect, test } from 'vitest';
import { blocksText, grantAll } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { readButtonLabels, runCommand } from '../command-driver.ts';
import { listRejections, toTextValue } from '../modals/form/form-driver.ts';

const running = useStack({ grants: grantAll('destroy', 'U0BOB') });

const deletion = 'Delete snapshot weekly of web-01 (VPS-10001)';

const say = (command: string, expected: RegExp | string) =>
  runCommand(running, command, typeof expected === 'string' ? new RegExp(escapeRegExp(expected)) : expected);
const escapeRegExp = (text: string) => text.replace(/[()?]/g, '\\$&');

const demand = (what: string) => say(`approval require ${what} --reason`, /^A reason is now required/);

/** Opens the window of a card, and submits it with a reason. */
async function giveReason(card: Awaited<ReturnType<typeof say>>, action: string, reason: string) {
  await running.slack.click(card, action);
  const view = await running.slack.modal();
  return { view, answer: await running.slack.submit(view, { reason: toTextValue(reason) }) };
}

const loggedRows = async () => blocksText(await say('history', /^Activity log/));

describe('a change that can lose data', () => {
  test('has a field for a reason, which reaches its message, the approval and the log', async () => {
    const { slack, service } = running;
    await say('approval require destroy --channel #ops', /^Approval is now required/);
    const card = await say('snapshot delete VPS-10001 weekly', `${deletion}?`);
    expect(readButtonLabels(card)).toEqual([expect.any(String), 'Add Reason…', 'Cancel']);
    await giveReason(card, 'confirm:reason', 'INC-42 <!channel> *x*');
    const approval = await slack.message(`${deletion}: approval needed`, 'C0OPS', 'U0BOB');
    expect(blocksText(approval)).toContain('INC-42 <!channel> *x*');
    await slack.click(approval, 'step:0', { user: 'U0BOB' });
    const done = await slack.message(`${deletion}: ✅ Done`);
    expect(blocksText(done)).toContain('INC-42 <!channel> *x*');
    expect(done.pings).toEqual([]);
    expect(await loggedRows()).toContain('INC-42 <!channel> *x*');
    expect(await service.changes()).toHaveLength(1);
    expect(await listRejections(slack.url)).toEqual([]);
  });
});

describe('a team that demands reasons', () => {
  test('for what can lose data gets none of it without one, and everything else as before', async () => {
    const { slack, service } = running;
    const early = await say('snapshot delete VPS-10001 weekly', `${deletion}?`);
    await demand('destroy');

    // The card is older than the rule, so its button brings no reason.
    await slack.click(early, 'confirm');
    await expect
      .poll(async () => blocksText(await slack.earlierMessage(`${deletion}?`)))
      .toContain('Your team requires a reason');
    expect(await service.changes()).toEqual([]);
    const card = await slack.earlierMessage(`${deletion}?`);
    expect(readButtonLabels(card)).not.toContain('Add Reason…');
    await giveReason(card, 'confirm:typed', 'INC-43');
    expect(blocksText(await slack.message(`${deletion}: ✅ Done`))).toContain('INC-43');

    const restore = 'Restore web-02 (VPS-10002) from snapshot weekly';
    await slack.click(await say('snapshot restore VPS-10002 weekly', `${restore}?`), 'confirm:typed');
    const view = await slack.modal();
    const values = { typed: toTextValue('VPS-10002') };
    expect(await slack.submit(view, values)).toMatchObject({ errors: { reason: expect.any(String) } });
    await slack.submit(view, { ...values, reason: toTextValue('INC-44') });
    expect(blocksText(await slack.message(`${restore}: `))).toContain('INC-44');

    expect(readButtonLabels(await say('reboot VPS-10003', /^Reboot api-01/))).toEqual(['Reboot', 'Cancel']);
  });

  test('for every change is asked where nothing was asked before', async () => {
    const { slack, service } = running;
    await demand('change');
    const taken = 'Take snapshot nightly of web-01 (VPS-10001)';
    const card = await say('snapshot create VPS-10001 nightly', /nightly.*\?$/);
    expect(blocksText(card)).toContain('Your team requires a reason');
    expect(await service.changes()).toEqual([]);
    await giveReason(card, 'confirm:typed', 'INC-45');
    await slack.message(new RegExp(`nightly.*(In progress|Done)|${escapeRegExp(taken)}: `));
    await expect.poll(() => service.changes()).toHaveLength(1);

    // With the reason in the command, nothing more is asked.
    await say('snapshot create VPS-10002 nightly --reason INC-46', /nightly.*(In progress|Done)/);

    const several = await say('reboot web-01 web-02 db-01', /^Reboot 3 VPS\?$/);
    await giveReason(several, 'confirm:typed-pace', 'INC-47');
    const batch = await slack.message(/^Reboot 3 VPS: /);
    expect(blocksText(batch)).toMatch(/At a time.*2.*INC-47/);
  });
});
