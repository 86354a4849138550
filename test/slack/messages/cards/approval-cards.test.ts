import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sandboxLabel } from '../../../sandbox-fleet.ts';
import { blocksText, grantAll, type RunningStack, type SlackMessage, startStack } from '../../../stack.ts';
import { readButtonLabels } from '../../command-driver.ts';
import { expectSpokenTargets } from '../../operations/spoken-targets.ts';
import { waitForEnd } from '../../wait-for-end.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack({ grants: grantAll('destroy', 'U0BOB', 'U0CAROL'), followsSlackClock: true });
});
afterEach(() => running.close());

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

    await Promise.all([press(card, 'approve', 'U0BOB'), press(card, 'approve', 'U0CAROL')]);

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
    await press(card, 'approve', 'U0BOB');
    const word = { text: 'Reboot web-01 (VPS-10001): approved by @bob · 🔄 In progress', thread_ts: ts };
    await expect.poll(() => callsIn('C0OPS')).toMatchObject([word]);
    await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
    expect(await callsIn('C0OPS')).toMatchObject([word]);
  });

  test('has one message if it is approved in the channel of its request', async () => {
    const { slack } = running;
    await slack.slash('approval require reboot --channel #C0OPS');
    await slack.message('Approval is now required for');
    await slack.slash('reboot VPS-10001 --reason "INC-42 <!channel> *disk*"');
    const confirmation = await slack.message('Reboot web-01 (VPS-10001)?');
    expect(blocksText(confirmation)).toContain('INC-42 <!channel> *disk*');
    await slack.click(confirmation, 'confirm');
    const card = await slack.message('Reboot web-01 (VPS-10001): approval needed');
    expect(blocksText(card)).toContain('INC-42');
    expect(card.pings.toSorted()).toEqual(['U0BOB', 'U0CAROL']);
    await slack.click(card, 'approve', { user: 'U0BOB' });
    const done = await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
    expect(done.ts).toBe(card.ts);
    expect(blocksText(done)).toContain('approved by @bob');
    expect(blocksText(done)).toContain('INC-42');
    expect(done.pings).toEqual([]);
    const ofChannel = (await slack.messages()).filter(
      ({ text, ts, thread_ts = ts }) => text.startsWith('Reboot') && thread_ts === ts,
    );
    expect(ofChannel.map(({ ts }) => ts)).toEqual([card.ts]);
    await slack.slash('history');
    expect(blocksText(await slack.message('Activity log'))).toContain('Reason: INC-42');
  });

  test('mentions its requester in their DMs if the app is not in the channel', async () => {
    const { slack } = running;
    await requireApproval();
    await slack.slash('reboot VPS-10001', { channel: 'C0QUIET' });
    const confirmation = await slack.message('Reboot web-01 (VPS-10001)?', 'C0QUIET');
    await slack.click(confirmation, 'confirm', { channel: 'C0QUIET' });
    await slack.message('I sent it to your DMs', 'C0QUIET');
    const card = await slack.message('approval needed', 'C0GENERAL');
    expectSpokenTargets(card);
    await press(card, 'decline', 'U0BOB');
    const word = await slack.message('Reboot web-01 (VPS-10001): declined by @bob', 'U0ALICE');
    expect(word).toMatchObject({ pings: ['U0ALICE'] });
    expect(word.thread_ts).toBeUndefined();
  });

  test('cannot be approved by its requester', async () => {
    await requireApproval();
    const card = await requestReboot();
    await press(card, 'approve', 'U0ALICE');
    await running.slack.message('approve your own request', 'C0GENERAL');
    expect(await running.service.changes()).toEqual([]);
  });

  test('can be declined, and its requester is notified who declined it', async () => {
    await requireApproval();
    const card = await requestReboot();
    await press(card, 'decline', 'U0BOB');
    const refused = await running.slack.message('Reboot web-01 (VPS-10001): 🚫 Refused');
    expect(blocksText(refused)).toContain('Refused by @bob · requested by @alice');
    expect(refused.pings).toEqual([]);
    const word = await running.slack.message('Reboot web-01 (VPS-10001): declined by @bob · 🚫 Refused');
    expect(word).toMatchObject({ pings: ['U0ALICE'], thread_ts: refused.ts });
    const decided = await running.slack.message('Reboot web-01 (VPS-10001): decided', 'C0GENERAL');
    expect(blocksText(decided)).toContain('Declined by @bob. Nothing was changed. Requested by @alice.');
    expect(decided.pings).toEqual([]);
    await press(card, 'approve', 'U0CAROL').catch(() => undefined);
    expect(await running.service.changes()).toEqual([]);
  });

  test('names no VPS if the rule covers all of them', async () => {
    await requireApproval('change');
    await running.slack.slash('port close 45020');
    await running.slack.click(await running.slack.message(/45020.*\?/), 'confirm');
    await running.slack.message('approval needed', 'C0GENERAL');
    expect(await running.service.changes()).toEqual([]);
  });

  test('is recognized when it is requested another way', async () => {
    await requireApproval('reboot');
    await running.slack.slash('action VPS-10001 reboot');
    await running.slack.click(await running.slack.message('Send reboot to web-01 (VPS-10001)?'), 'confirm');
    await running.slack.message('Send reboot to web-01 (VPS-10001): approval needed', 'C0GENERAL');
    expect(await running.service.changes()).toEqual([]);
  });

  test('can have an unknown effect if the rule covers destructive operations', async () => {
    await requireApproval('destroy');
    await running.slack.slash('action VPS-10001 wipe');
    await running.slack.click(await running.slack.message('Send wipe to web-01 (VPS-10001)?'), 'confirm');
    await running.slack.message('Send wipe to web-01 (VPS-10001): approval needed', 'C0GENERAL');
    await running.slack.slash('action VPS-10002 start');
    await running.slack.click(await running.slack.message('Send start to web-02 (VPS-10002)?'), 'confirm');
    await running.slack.message(/Send start to web-02 \(VPS-10002\): (✅|🔄|❌)/);
    expect(JSON.stringify(await running.service.changes())).not.toContain('wipe');
  });

  test('can be withdrawn by its requester', async () => {
    await requireApproval();
    await press(await requestReboot(), 'decline', 'U0ALICE');
    expect(blocksText(await running.slack.message('Reboot web-01 (VPS-10001): 🚫 Refused'))).toContain(
      'The requester withdrew this request',
    );
    const seen = await running.slack.messages();
    expect(seen.filter(({ pings }) => pings.length > 0)).toEqual([]);
  });

  test('is requested again if the target changed meanwhile', async () => {
    await requireApproval();
    const card = await requestReboot();
    await running.service.act('VPS-10001', 'stop');
    await press(card, 'approve', 'U0BOB');
    await expect
      .poll(async () => blocksText(await running.slack.message('approval needed', 'C0GENERAL')))
      .toContain('The target has changed since you were asked');
    expect(
      (await running.service.changes()).filter(({ body }) => JSON.stringify(body).includes('reboot')),
    ).toEqual([]);
    // The VPS goes on from "stopping" to "stopped", so the card can change once more.
    const hasRebooted = async () => {
      await press(card, 'approve', 'U0BOB').catch(() => undefined);
      return JSON.stringify(await running.service.changes()).includes('reboot');
    };
    await expect.poll(hasRebooted, { interval: 500 }).toBe(true);
  });

  test('is required only if the rule covers the run', async () => {
    await requireApproval('disrupt', '--vps vps-1000*');
    await running.slack.slash('reboot VPS-10010');
    await running.slack.click(await running.slack.message('Reboot ci-01 (VPS-10010)?'), 'confirm');
    await running.slack.message('Reboot ci-01 (VPS-10010): 🔄 In progress');
    await requestReboot('VPS-10001');
  });
});

describe('the approval rules', () => {
  test('are listed, and removed by a button', async () => {
    await requireApproval('destroy');
    await running.slack.slash('approval list');
    const list = await running.slack.message('One approval rule');
    expect(blocksText(list)).toContain('anything that can lose data');
    const label = readButtonLabels(list).find((each) => each.startsWith('Delete Rule '));
    await running.slack.click(list, label ?? 'Delete Rule');
    await running.slack.message('Rule deleted');
    await running.slack.slash('approval list');
    await running.slack.message('Nothing needs approval');
  });

  test('are removed by a description that fits only one', async () => {
    const { slack } = running;
    await requireApproval('reboot', '--vps VPS-10001');
    await slack.slash('approval delete juggle');
    await slack.message('There\'s no approval rule "juggle"');
    await requireApproval('reboot', '--vps VPS-10002');
    await slack.slash('approval delete reboot');
    await slack.message(/2 rules apply to "reboot": give the ID of one, \w+ \(VPS VPS-10001\) or \w+/);
    const rules = JSON.stringify((await slack.earlierMessage('on web-02 (VPS-10002)')).blocks);
    const [, id] = /"Delete Rule (\w+)"/.exec(rules) ?? [];
    await slack.slash(`approval delete ${id?.toUpperCase()}`);
    await slack.message('Rule deleted: reboot on web-01 (VPS-10001)');
    await requireApproval('snapshot create');
    await slack.slash('approval delete snapshot create');
    await slack.message('Rule deleted: snapshot create');
    await slack.slash('approval delete Reboot');
    await slack.message('Rule deleted: reboot on web-02 (VPS-10002)');
  });

  test('only name existing operations and VPS', async () => {
    await running.slack.slash('approval require juggle');
    await running.slack.message(`"juggle" isn't an operation that changes something.`);
    await running.slack.slash('approval require destroy --vps web-*');
    await running.slack.message('web-* is a pattern of hostnames, and those can change');
  });

  test('by a hostname apply to the VPS that has it', async () => {
    const { slack } = running;
    await slack.slash('approval require reboot --vps db-02');
    const rules = await slack.message('Approval is now required for reboot on db-02 (VPS-10006)');
    expect(blocksText(rules)).toContain('This stays with the VPS name, even if hostnames change.');
    await slack.slash('approval delete reboot');
    await slack.message('Rule deleted: reboot on db-02 (VPS-10006)');
  });
});
