import { describe, expect, test } from 'vitest';
import { sandboxLabel } from '../../../sandbox-fleet.ts';
import { blocksText, grantAll, type SlackMessage } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { waitForEnd } from '../../wait-for-end.ts';

const running = useStack({ grants: grantAll('destroy', 'U0BOB', 'U0CAROL'), followsSlackClock: true });

/** Alice sets an approval rule, with its cards in #ops. */
async function requireApproval(what = 'disrupt', more = ''): Promise<void> {
  await running.slack.slash(`approval require ${what} ${more} --channel #C0GENERAL`);
  await running.slack.message('Approval is now required for');
}

/** Requests and confirms a reboot, and returns its approval card. */
async function requestReboot(vps = 'VPS-10001', user = 'U0ALICE'): Promise<SlackMessage> {
  await running.slack.slash(`reboot ${vps}`, { user });
  const confirmation = await running.slack.message(`Reboot ${sandboxLabel(vps)}?`, 'C0OPS', user);
  await running.slack.click(confirmation, 'confirm', { user });
  return running.slack.message(`Reboot ${sandboxLabel(vps)}: approval needed`, 'C0GENERAL', user);
}

const press = (card: SlackMessage, action: string, user: string) =>
  running.slack.click(card, action, { user, channel: 'C0GENERAL' });

describe('a run that needs approval', () => {
  test('waits for the approver, runs once, and names both people', async () => {
    await requireApproval();
    const card = await requestReboot();
    expect(blocksText(card)).toContain('@alice requests this in <#C0OPS>');
    expect(blocksText(card)).toContain('running');
    // Bob and Carol can approve. Each card is posted once, and edits notify nobody.
    expect(card.pings.toSorted()).toEqual(['U0BOB', 'U0CAROL']);
    await running.slack.message('Reboot web-01 (VPS-10001): ⏸️ Waiting for approval');
    expect(await running.service.changes()).toEqual([]);

    await Promise.all([press(card, 'Approve Reboot', 'U0BOB'), press(card, 'Approve Reboot', 'U0CAROL')]);

    const done = await running.slack.message('Reboot web-01 (VPS-10001): 🔄 In progress');
    expect(blocksText(done)).toMatch(/requested by @alice · approved by @(bob|carol)/);
    expect(await running.service.changes()).toHaveLength(1);
    await running.slack.message('Reboot web-01 (VPS-10001): decided', 'C0GENERAL');
  });

  test('mentions its requester once, in the thread of its message, after the decision', async () => {
    const { slack } = running;
    const callsIn = async (channel: string) =>
      (await slack.messages(channel)).filter(({ pings }) => pings.includes('U0ALICE'));
    await requireApproval();
    const card = await requestReboot();
    const { ts } = await slack.message('Reboot web-01 (VPS-10001): ⏸️ Waiting for approval');
    expect([...(await callsIn('C0OPS')), ...(await callsIn('C0GENERAL'))]).toEqual([]);
    await press(card, 'Approve Reboot', 'U0BOB');
    const word = { text: 'Reboot web-01 (VPS-10001): approved by @bob · 🔄 In progress', thread_ts: ts };
    await expect.poll(() => callsIn('C0OPS')).toMatchObject([word]);
    await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
    expect(await callsIn('C0OPS')).toMatchObject([word]);
  });

  test('can be declined, and its requester is notified who declined it', async () => {
    await requireApproval();
    const card = await requestReboot();
    await press(card, 'Decline', 'U0BOB');
    const refused = await running.slack.message('Reboot web-01 (VPS-10001): 🚫 Refused');
    expect(blocksText(refused)).toContain('Refused by @bob · requested by @alice');
    expect(refused.pings).toEqual([]);
    const word = await running.slack.message('Reboot web-01 (VPS-10001): declined by @bob · 🚫 Refused');
    expect(word).toMatchObject({ pings: ['U0ALICE'], thread_ts: refused.ts });
    const decided = await running.slack.message('Reboot web-01 (VPS-10001): decided', 'C0GENERAL');
    expect(blocksText(decided)).toContain('Declined by @bob. Nothing was changed. Requested by @alice.');
    expect(decided.pings).toEqual([]);
    await press(card, 'Approve Reboot', 'U0CAROL').catch(() => undefined);
    expect(await running.service.changes()).toEqual([]);
  });

  test('is requested again if the target changed meanwhile', async () => {
    await requireApproval();
    const card = await requestReboot();
    await running.service.act('VPS-10001', 'stop');
    await press(card, 'Approve Reboot', 'U0BOB');
    await expect
      .poll(async () => blocksText(await running.slack.message('approval needed', 'C0GENERAL')))
      .toContain('The target has changed since you were asked');
    expect(
      (await running.service.changes()).filter(({ body }) => JSON.stringify(body).includes('reboot')),
    ).toEqual([]);
    // The VPS goes on from "stopping" to "stopped", so the card can change once more.
    const hasRebooted = async () => {
      await press(card, 'Approve Reboot', 'U0BOB').catch(() => undefined);
      return JSON.stringify(await running.service.changes()).includes('reboot');
    };
    await expect.poll(hasRebooted, { interval: 500 }).toBe(true);
  });
});
