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
