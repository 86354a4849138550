import { describe, expect, test } from 'vitest';
import { sandboxLabel } from '../../../sandbox-fleet.ts';
import { blocksText, grantAll, type SlackMessage } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { waitForEnd } from '../../wait-for-end.ts';

// Alice and Bob are in the user group @on-call. Carol isn't.
const running = useStack({ grants: grantAll('destroy', 'U0BOB', 'U0CAROL'), followsSlackClock: true });

async function requireApproval(what: string): Promise<SlackMessage> {
  await running.slack.slash(`approval require ${what}`);
  return running.slack.message('Approval is now required for');
}

/** Requests and confirms a reboot as Alice, and returns its approval card. */
async function requestReboot(vps = 'VPS-10001'): Promise<SlackMessage> {
  await running.slack.slash(`reboot ${vps}`);
  const confirmation = await running.slack.message(`Reboot ${sandboxLabel(vps)}?`);
  expect(blocksText(confirmation)).toContain('This needs approval.');
  await running.slack.click(confirmation, 'confirm');
  return running.slack.message(`Reboot ${sandboxLabel(vps)}: approval needed`, 'C0GENERAL');
}

const press = (card: SlackMessage, action: string, user: string) =>
  running.slack.click(card, action, { user, channel: 'C0GENERAL' });

/** The messages in which Alice is mentioned, in both channels. */
async function listMentions(): Promise<readonly SlackMessage[]> {
  const seen = await Promise.all(['C0OPS', 'C0GENERAL'].map((channel) => running.slack.messages(channel)));
  return seen.flat().filter(({ pings }) => pings.includes('U0ALICE'));
}

describe('a run that needs approval', () => {
  test('waits for the approver, runs once, names both people, and mentions its requester once', async () => {
    const { slack, service } = running;
    await requireApproval('disrupt --channel #C0GENERAL');
    const card = await requestReboot();
    expect(blocksText(card)).toContain('@alice requests this in <#C0OPS>');
    expect(blocksText(card)).toContain('running');
    // Bob and Carol can approve. Each card is posted once, and edits notify nobody.
    expect(card.pings.toSorted()).toEqual(['U0BOB', 'U0CAROL']);
    const { ts } = await slack.message('Reboot web-01 (VPS-10001): ⏸️ Waiting for approval');
    expect(await service.changes()).toEqual([]);
    expect(await listMentions()).toEqual([]);

    await Promise.all([press(card, 'Approve Reboot', 'U0BOB'), press(card, 'Approve Reboot', 'U0CAROL')]);
    await slack.message('Reboot web-01 (VPS-10001): decided', 'C0GENERAL');
    const done = await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
    expect(blocksText(done)).toMatch(/requested by @alice · approved by @(bob|carol)/);
    expect(await service.changes()).toHaveLength(1);
    expect(await listMentions()).toMatchObject([
      {
        text: expect.stringMatching(
          /^Reboot web-01 \(VPS-10001\): approved by @(bob|carol) · 🔄 In progress$/,
        ),
        thread_ts: ts,
      },
    ]);
  });

  test('can be declined, and its requester is notified who declined it', async () => {
    await requireApproval('disrupt --channel #C0GENERAL');
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
});

test('a card whose channel the app is not in goes to the people who are asked, and can be withdrawn', async () => {
  const { slack, service } = running;
  await requireApproval('disrupt --channel #C0QUIET');
  await slack.slash('reboot VPS-10001');
  await slack.click(await slack.message('Reboot web-01 (VPS-10001)?'), 'confirm');
  const waiting = await slack.message('Reboot web-01 (VPS-10001): ⏸️ Waiting for approval');
  const cards = await Promise.all(
    [
      ['D0BOB', 'U0BOB'],
      ['D0CAROL', 'U0CAROL'],
    ].map(([channel, user]) => slack.message('Reboot web-01 (VPS-10001): approval needed', channel, user)),
  );
  expect(cards.map(({ pings }) => pings)).toEqual([[], []]);
  await slack.click(waiting, 'Withdraw Request');
  await slack.message('Reboot web-01 (VPS-10001): 🚫 Refused');
  for (const [channel, user] of [
    ['D0BOB', 'U0BOB'],
    ['D0CAROL', 'U0CAROL'],
  ]) {
    const decided = await slack.message('Reboot web-01 (VPS-10001): decided', channel, user);
    expect(blocksText(decided)).toContain('Withdrawn. Nothing was changed. Requested by @alice.');
  }
  expect(await service.changes()).toEqual([]);
});

describe('a rule that names a user group', () => {
  test('pings the group once, and others with the right can approve too', async () => {
    const required = await requireApproval('reboot --group @on-call --channel #C0GENERAL');
    expect(blocksText(required)).toContain('S0ONCALL');
    const card = await requestReboot();
    expect(card.pings).toEqual(['S0ONCALL']);
    expect(blocksText(card)).toContain('<!subteam^S0ONCALL>: please approve or decline this.');
    await press(card, 'step:0', 'U0CAROL');
    await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
  });

  test('asks everyone who can approve if nobody in the group can', async () => {
    await running.slack.slash('access revoke @bob *');
    await running.slack.message(/revoked/i);
    await requireApproval('reboot --group @on-call --channel #C0GENERAL');
    const card = await requestReboot();
    expect(card.pings).toEqual(['U0CAROL']);
    expect(blocksText(card)).toContain(
      'The approval rule asks @on-call, but no one in this user group can approve this.',
    );
  });
});

const betweenLabelAndValue = '","style":{"bold":true}},{"type":"text","text":"';

/** Alice requests a change, and Bob is asked to approve it. Returns what his card says. */
async function request(command: string, action?: string): Promise<string> {
  const { slack } = running;
  await slack.slash(command);
  if (action !== undefined) await slack.click(await slack.message(/\?/), action);
  const card = blocksText(await slack.message(/approval needed/i, 'D0BOB', 'U0BOB'));
  return card.replaceAll(betweenLabelAndValue, '');
}

describe('an approver sees', () => {
  test('which VPS and ports a load balancer opens, and who gets a new root password', async () => {
    await requireApproval('change');
    const balancer = await request(
      'lb create app.example.com --backend web-01:22 --backend VPS-10003:80:weight=2 --websocket',
    );
    expect(balancer).toContain('Backend: VPS: web-01 (VPS-10001), Port: 22');
    expect(balancer).toContain('Port: 80, Weight: 2');
    expect(balancer).toContain('Allow WebSocket: yes');
    expect(await request('password reset web-01 --delivery api', 'confirm')).toContain(
      'Password delivery: api',
    );
  });

  test('that a schedule with retention deletes snapshots', async () => {
    await requireApproval('"snapshot delete"');
    const command = 'schedule snapshot VPS-10001 daily 02:30 --keep 7d --name nightly';
    const card = await request(command, 'Schedule');
    expect(card).toContain('Take a snapshot of web-01 (VPS-10001)');
    expect(card).toContain(
      'The last snapshot of each of 7 days. Only snapshots of this schedule are deleted.',
    );
  });

  test("a request's own text without markup and without lines of its own", async () => {
    await requireApproval('reboot');
    const command = 'schedule "reboot VPS-10001 --reason \'x*\n✅ *Approved by carol*\'" daily 02:30';
    expect(await request(command, 'Schedule')).toContain('x* ✅ *Approved by carol*');
  });
});
