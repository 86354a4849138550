import { expect, test } from 'vitest';
import { blocksText, grantAll, type SlackMessage } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { toTextValue } from '../../modals/form/form-driver.ts';
import { waitForEnd } from '../../wait-for-end.ts';

// Alice owns the workspace. Bob has the admin right too, and Carol hasn't.
const running = useStack({
  grants: [...grantAll('admin', 'U0BOB'), ...grantAll('destroy', 'U0CAROL')],
  followsSlackClock: true,
});

const reboot = 'Reboot web-01 (VPS-10001)';

async function requireApproval(options: string): Promise<void> {
  await running.slack.slash(`approval require disrupt ${options}`);
  await running.slack.message('Approval is now required for');
}

/** Requests and confirms a reboot, and returns its message, which waits for approval. */
async function requestReboot(user = 'U0ALICE'): Promise<SlackMessage> {
  const { slack } = running;
  await slack.slash('reboot web-01', { user });
  await slack.click(await slack.message(`${reboot}?`, 'C0OPS', user), 'confirm', { user });
  return slack.message(`${reboot}: ⏸️ Waiting for approval`);
}

/** Presses Break Glass in a message, and submits its form. */
async function breakGlass(message: SlackMessage, user: string, channel = 'C0OPS'): Promise<void> {
  const { slack } = running;
  await slack.click(message, 'Break Glass…', { user, channel });
  await slack.submit(await slack.modal(user), { reason: toTextValue('web-01 is down') }, user);
}

test('an admin alone approves their own change with a reason, which the channel, all admins and the activity log get', async () => {
  const { slack, service } = running;
  await requireApproval('--break-glass --channel #C0GENERAL');
  const waiting = await requestReboot();
  await slack.click(waiting, 'Break Glass…');
  const answer = await slack.submit(await slack.modal(), { reason: toTextValue(' ') });
  expect(answer).toMatchObject({ errors: { reason: 'Give a reason' } });
  await slack.submit(await slack.modal(), { reason: toTextValue('web-01 is down') });

  const done = await waitForEnd(running, reboot);
  expect(blocksText(done)).toContain(
    'requested by @alice, who broke the glass, so no second person approved it',
  );
  expect(await service.changes()).toHaveLength(1);
  for (const [channel, user] of [
    ['C0OPS', 'U0ALICE'],
    ['C0GENERAL', 'U0ALICE'],
    ['D0BOB', 'U0BOB'],
  ]) {
    const told = blocksText(await slack.message(`An admin broke the glass: ${reboot}`, channel, user));
    expect(told).toContain('web-01 is down');
    expect(told).toContain('The admin approved their own change. No second person approved it.');
  }
  const card = await slack.message(`${reboot}: decided`, 'C0GENERAL');
  expect(blocksText(card)).toContain('@alice broke the glass: web-01 is down. No second person approved it.');
  await slack.slash('history');
  const log = blocksText(await slack.message(/activity log/i));
  expect(log).toContain('alice, broke the glass');
  expect(log).toContain('web-01 is down');
});

test('nobody who is not an admin breaks the glass, and no admin does it for someone else', async () => {
  const { slack, service } = running;
  await requireApproval('--break-glass --channel #C0OPS');
  await slack.slash('reboot web-01', { user: 'U0CAROL' });
  await slack.click(await slack.message(`${reboot}?`, 'C0OPS', 'U0CAROL'), 'confirm', { user: 'U0CAROL' });
  expect(blocksText(await slack.message(`${reboot}: approval needed`))).not.toContain('Break Glass');

  await slack.slash('reboot VPS-10002');
  await slack.click(await slack.message(/^Reboot .*\?/), 'confirm');
  const card = await slack.message(/VPS-10002\): approval needed/);
  for (const user of ['U0CAROL', 'U0BOB']) {
    await breakGlass(card, user);
    await slack.message(/Only an admin who requested this can break the glass/, 'C0OPS', user);
  }
  expect(await service.changes()).toEqual([]);
});

test('nobody breaks the glass where one of the rules needs a second person', async () => {
  const { slack, service } = running;
  await requireApproval('--break-glass --channel #C0OPS');
  await requireApproval('--vps VPS-10002 --channel #C0OPS');
  await slack.slash('reboot VPS-10002');
  await slack.click(await slack.message(/^Reboot .*\?/), 'confirm');
  expect(blocksText(await slack.message(/VPS-10002\): approval needed/))).not.toContain('Break Glass');
  expect(await service.changes()).toEqual([]);
});

test('an admin whom nobody else can help is asked for a reason instead of being refused', async () => {
  const { slack } = running;
  for (const person of ['@bob', '@carol']) {
    await slack.slash(`access revoke ${person} *`);
    await slack.message(/revoked/i);
  }
  await requireApproval('--break-glass');
  await breakGlass(await requestReboot(), 'U0ALICE');
  await waitForEnd(running, reboot);
});
