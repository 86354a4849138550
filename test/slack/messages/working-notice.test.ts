import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSystemClock } from '../../../src/jobs/clock.ts';
import { blocksText, grantAll, type RunningStack, startStack } from '../../stack.ts';

let running: RunningStack;

/** The database's clock can be ahead of the machine's. Notices must not come late because of that. */
const aheadMs = 20_000;

beforeAll(async () => {
  const { now, setTimer } = createSystemClock();
  running = await startStack({
    clock: {
      now: () => now() + aheadMs,
      setTimer: (atMs, run) => setTimer(atMs - aheadMs, run),
    },
    hosting: { latencyMs: 800 },
    workingNoticeMs: 20,
    grants: grantAll('operate', 'U0BOB'),
  });
});
afterAll(() => running.close());

test('a command says what it works on until the service has answered', async () => {
  const { slack } = running;
  await slack.slash('show web-01');
  expect(await slack.message('⏳ Working on show web-01…')).toMatchObject({ ephemeral: true });
  await slack.message('web-01 (VPS-10001)');
});

test('a mention says so to everybody, and takes it back with the answer', async () => {
  const { slack } = running;
  await slack.mention('@Rackhand show web-02');
  await slack.message('⏳ Working on show web-02…', 'C0OPS', 'U0BOB');
  await slack.message('web-02 (VPS-10002)', 'C0OPS', 'U0BOB');
  const seen = await slack.messages('C0OPS', 'U0BOB');
  expect(seen.filter(({ text }) => text.includes('Working on show web-02'))).toEqual([]);
});

test('a direct message is answered in the same way', async () => {
  const { slack } = running;
  await slack.act('message', { user: 'U0ALICE', channel: 'U0ALICE', text: 'show api-01' });
  await slack.message('⏳ Working on show api-01…', 'U0ALICE');
  await slack.message('api-01 (VPS-10003)', 'U0ALICE');
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

test('the buttons of an approval card give way, and come back if the service fails', async () => {
  const { slack, service } = running;
  await slack.slash('approval require reboot --channel #ops');
  await slack.message('Approval is now required');
  await slack.slash('reboot VPS-10002');
  await slack.click(await slack.message('Reboot web-02 (VPS-10002)?'), 'confirm');
  const card = await slack.message('approval needed', 'C0OPS', 'U0BOB');
  const approve = () => slack.click(card, 'approve', { user: 'U0BOB' });
  const shownCard = async () =>
    blocksText((await slack.messages('C0OPS', 'U0BOB')).find(({ ts }) => ts === card.ts) ?? { blocks: [] });

  await service.fault('status:503', { times: 20 });
  await approve();
  await slack.untilSeen(async () => {
    expect(await shownCard()).toContain('⏳ Approved. Checking the target once more');
    expect(await shownCard()).not.toContain('"approve"');
  });
  await slack.untilSeen(async () => expect(await shownCard()).toContain('"approve"'));
  await service.cancelFaults();
  await approve();
  await slack.untilSeen(async () => expect(await shownCard()).toContain('approved by @bob'));
});

test('a read that failed can be tried again', async () => {
  const { slack, service } = running;
  await service.fault('status:503', { times: 20 });
  await slack.slash('show db-01');
  const failed = await slack.message(/service .*(failed|error|503)/i);
  expect(blocksText(failed)).toContain('Try Again');
  await service.cancelFaults();
  await slack.click(failed, 'Try Again');
  await slack.message('db-01 (VPS-10005)');
});
