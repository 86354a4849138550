import { expect, test } from 'vitest';
import { blocksText, grantAll, type SlackMessage } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { waitForEnd } from '../../wait-for-end.ts';

// Alice and Bob are in the user group @on-call. Carol isn't.
const running = useStack(
  { grants: grantAll('destroy', 'U0BOB', 'U0CAROL'), followsSlackClock: true },
  'group',
);

async function requireApproval(more = ''): Promise<SlackMessage> {
  await running.slack.slash(`approval require reboot --group @on-call ${more}`);
  return running.slack.message('Approval is now required for');
}

/** Requests and confirms a reboot as Alice. */
async function requestReboot(): Promise<void> {
  await running.slack.slash('reboot VPS-10001');
  await running.slack.click(await running.slack.message('Reboot web-01 (VPS-10001)?'), 'confirm');
}

const card = 'Reboot web-01 (VPS-10001): approval needed';

test('a card pings the user group of its rule once, and others with the right can approve it', async () => {
  const { slack } = running;
  expect(blocksText(await requireApproval('--channel #C0GENERAL'))).toContain('S0ONCALL');
  await requestReboot();
  const posted = await slack.message(card, 'C0GENERAL');
  expect(posted.pings).toEqual(['S0ONCALL']);
  expect(blocksText(posted)).toContain('<!subteam^S0ONCALL>: please approve or decline this.');
  await slack.click(posted, 'step:0', { user: 'U0CAROL', channel: 'C0GENERAL' });
  await waitForEnd(running, 'Reboot web-01 (VPS-10001)');
});

test('everyone who can approve is asked if nobody in the user group can', async () => {
  const { slack } = running;
  await slack.slash('access revoke @bob *');
  await slack.message(/revoked/i);
  await requireApproval('--channel #C0GENERAL');
  await requestReboot();
  const posted = await slack.message(card, 'C0GENERAL');
  expect(posted.pings).toEqual(['U0CAROL']);
  expect(blocksText(posted)).toContain(
    'The approval rule asks @on-call, but no one in this user group can approve this.',
  );
});
