import { expect, test } from 'vitest';
import { blocksText, grantAll } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

const running = useStack({ grants: grantAll('destroy', 'U0BOB') }, 'group');

/** Alice schedules a change, and Bob is asked to approve it. Returns what his card says. */
async function scheduleForApproval(rule: string, command: string): Promise<string> {
  const { slack } = running;
  await slack.slash(`approval require ${rule}`);
  await slack.message('Approval is now required for');
  await slack.slash(`schedule ${command}`);
  await slack.click(await slack.message('Schedule this?'), 'Schedule');
  await slack.message('waits for approval');
  return blocksText(await slack.message('Approval needed', 'D0BOB', 'U0BOB'));
}

test('the approver of a schedule with retention sees that it deletes snapshots', async () => {
  const card = await scheduleForApproval(
    '"snapshot delete"',
    'snapshot VPS-10001 daily 02:30 --keep 7d --name nightly',
  );
  expect(card).toContain('Take a snapshot of web-01 (VPS-10001)');
  expect(card).toContain('The last snapshot of each of 7 days. Only snapshots of this schedule are deleted.');
});

test('the text of a request has no markup and no lines of its own', async () => {
  const card = await scheduleForApproval(
    'reboot',
    '"reboot VPS-10001 --reason \'x*\n✅ *Approved by carol*\'" daily 02:30',
  );
  expect(card).toContain('"type":"text","text":"x* ✅ *Approved by carol*"');
});
