import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJumpingClock } from '../../jobs/clocks/jumping-clock.ts';
import { blocksText, grantAll, type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;

/** The database's clock can be ahead of the machine's. Notices must not come late because of that. */
const aheadMs = 20_000;

beforeAll(async () => {
  running = await startStack({
    clock: createJumpingClock(aheadMs),
    hosting: { latencyMs: 800 },
    workingNoticeMs: 20,
    grants: grantAll('operate', 'U0BOB'),
  });
});
afterAll(() => running.close());

test('a command says what it works on until the service has answered', async () => {
  const { slack } = running;
  await slack.slash('show web-01');
  expect(await slack.message('⏳ show web-01 takes a moment')).toMatchObject({ ephemeral: true });
  await slack.message('web-01 (VPS-10001)');
});

test('the notice of a reply that everyone sees is gone when the reply is there', async () => {
  const { slack } = running;
  await slack.slash('graph web-02');
  const notice = await slack.message('⏳ graph web-02 takes a moment');
  expect(notice.ephemeral).toBeFalsy();
  await slack.message('web-02 (VPS-10002), last day');
  expect((await slack.messages()).map(({ ts }) => ts)).not.toContain(notice.ts);
});

test('the buttons of a confirmation give way while the target is checked again', async () => {
  const { slack } = running;
  await slack.slash('reboot VPS-10001');
  const card = await slack.message('Reboot web-01 (VPS-10001)?');
  await slack.click(card, 'confirm');
  const checking = await slack.message('⏳ Confirmed. Checking the target once more');
  expect(checking.ts).toBe(card.ts);
  expect(blocksText(checking)).not.toContain('confirm');
  await slack.message('Reboot web-01 (VPS-10001): 🔄');
  await slack.untilSeen(async () =>
    expect((await slack.messages()).map(({ ts }) => ts)).not.toContain(card.ts),
  );
});
