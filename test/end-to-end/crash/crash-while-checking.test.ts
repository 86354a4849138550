import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { blocksText } from '../../stack.ts';
import { type CrashableApp, startCrashableApp } from '../crash-process.ts';
import { createCrashDriver, interruptedText, type Sandboxes, startSandboxes } from './crash-driver.ts';

const directory = makeScratchDirectory('crash-while-checking');
let sandboxes: Sandboxes;
let app: CrashableApp;
const start = async () => {
  app = await startCrashableApp(sandboxes.settings);
};

beforeAll(async () => {
  sandboxes = await startSandboxes(`sqlite:${join(directory, 'rackhand.db')}`);
  await start();
});

afterAll(async () => {
  await app?.kill();
  await sandboxes?.close();
  rmSync(directory, { recursive: true });
});

test('a process that is killed while it checks a confirmed change: its actor is notified at once', async () => {
  const { slack, service } = sandboxes;
  const { openConfirmation, countChanges } = createCrashDriver(() => sandboxes);
  const card = await openConfirmation('VPS-10003');
  await service.fault('slow:20000', { method: 'GET', times: 20 });
  await slack.click(card, 'confirm');
  const checking = await slack.message('Checking the target once more');
  expect(blocksText(checking)).not.toContain('"confirm"');
  await app.kill();
  await service.cancelFaults();
  await start();
  await slack.message(interruptedText);
  expect(await countChanges('VPS-10003')).toBe(0);
});

test('a process that is killed while it checks for an approver: the card has its buttons again', async () => {
  const { slack, service } = sandboxes;
  const { openConfirmation, countChanges } = createCrashDriver(() => sandboxes);
  await slack.slash('access grant @bob operate');
  await slack.message('Granted: operate');
  await slack.slash('approval require reboot --channel #ops');
  await slack.message('Approval is now required');
  await slack.click(await openConfirmation('VPS-10004'), 'confirm');
  const card = await slack.message('approval needed', 'C0OPS', 'U0BOB');
  const shownCard = async () =>
    blocksText((await slack.messages('C0OPS', 'U0BOB')).find(({ ts }) => ts === card.ts) ?? { blocks: [] });
  await service.fault('slow:20000', { method: 'GET', times: 20 });
  await slack.click(card, 'approve', { user: 'U0BOB' });
  await slack.untilSeen(async () => expect(await shownCard()).not.toContain('"approve"'));
  await app.kill();
  await service.cancelFaults();
  await start();
  await slack.untilSeen(async () => expect(await shownCard()).toContain('"approve"'));
  expect(await countChanges('VPS-10004')).toBe(0);
  // Clicks right after the card was edited are ignored.
  const clickApprove = async () => {
    await slack.click(card, 'approve', { user: 'U0BOB' });
    return shownCard();
  };
  await expect.poll(clickApprove, { interval: 1_000 }).toContain('approved by');
  await expect.poll(() => countChanges('VPS-10004')).toBe(1);
});
