import { expect, test } from 'vitest';
import { blocksText, grantAll } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';

const running = useStack({ grants: grantAll('destroy', 'U0BOB') }, 'group');

const betweenLabelAndValue = '","style":{"bold":true}},{"type":"text","text":"';

/** Alice requests a change, and Bob is asked to approve it. Returns what his card says. */
async function request(command: string, action?: string): Promise<string> {
  const { slack } = running;
  await slack.slash('approval require change');
  await slack.message('Approval is now required for');
  await slack.slash(command);
  if (action !== undefined) await slack.click(await slack.message(/\?$/), action);
  const card = blocksText(await slack.message('approval needed', 'D0BOB', 'U0BOB'));
  return card.replaceAll(betweenLabelAndValue, '');
}

test('an approver sees which VPS and ports a load balancer opens', async () => {
  const card = await request(
    'lb create app.example.com --backend web-01:22 --backend VPS-10003:80:weight=2 --websocket',
  );
  expect(card).toContain('Backend: VPS: web-01 (VPS-10001), Port: 22');
  expect(card).toContain('Port: 80, Weight: 2');
  expect(card).toContain('Allow WebSocket: yes');
});

test.each([
  ['web-01', 'VPS-10001'],
  ['api-01', 'VPS-10003'],
])('an approver sees who gets a new root password, also of %s', async (_, vps) => {
  expect(await request(`password reset ${vps} --delivery api`, 'confirm')).toContain(
    'Password delivery: api',
  );
});
