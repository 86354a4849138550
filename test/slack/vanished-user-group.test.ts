import { expect, test } from 'vitest';
import { grantAll } from '../stack.ts';
import { useStack } from '../use-stack.ts';

/** A user group that Slack doesn't know anymore. */
const gone = 'S0GONE';

const running = useStack(
  {
    grants: [...grantAll('destroy', gone), ...grantAll('view', 'U0BOB')],
  },
  'group',
);

const inOps = ['C0OPS', 'U0BOB'] as const;

test('a right of the group gives nobody anything, and the other rights stay', async () => {
  const { slack } = running;
  await slack.slash('show VPS-10001', { user: 'U0BOB' });
  await slack.message(/web-01/, ...inOps);
  await slack.slash('reboot VPS-10001', { user: 'U0BOB' });
  await slack.message("You don't have permission to operate web-01 (VPS-10001)", ...inOps);
});

test('an admin sees the right of the group, and can revoke it', async () => {
  const { slack } = running;
  await slack.slash('access');
  expect(JSON.stringify(await slack.message(/right/i))).toContain(gone);
  await slack.slash(`access revoke ${gone} *`);
  await slack.message(/^Revoked/);
});
