import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rotateStep } from '../../src/operations/key-steps.ts';
import { createSlackClients, whileSomebodyWaits } from '../../src/slack/clients.ts';
import { identifyInstallation } from '../../src/slack/identify.ts';
import { createSlackLogger } from '../../src/slack/logger.ts';
import { createRemind } from '../../src/slack/remind.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { createVault } from '../../src/storage/vault.ts';
import { createInstallationStore } from '../../src/workspaces/installation-store.ts';
import { type RunningStack, startStack } from '../stack.ts';
import { inFrontOf } from './connect-dialog.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

/** Reminds so many people of Acme, as the app does. */
async function remind(people: readonly string[]): Promise<void> {
  const log = pino({ level: 'silent' });
  const apiUrl = `${running.slack.url}/api/`;
  const { db, close } = await openDatabase('sqlite::memory:');
  const installations = createInstallationStore(db, createVault([randomBytes(32)]));
  await installations.save(await identifyInstallation('xoxb-sandbox-acme', { apiUrl, log }), Date.now());
  const options = { apiUrl, logger: createSlackLogger(log), retryConfig: whileSomebodyWaits };
  const clients = createSlackClients(installations, options);
  const remindOf = createRemind(clients, async () => people);
  await remindOf('T0ACME', { title: 'The key is old', next: [rotateStep] }).finally(close);
}

test('those who may change a key are told directly, with the button that opens its dialog', async () => {
  await remind(['U0NOBODY', 'U0ALICE']);
  const alice = inFrontOf(running.slack, { user: 'U0ALICE', channel: 'U0ALICE', team: 'T0ACME' });
  await alice.click(await alice.says('The key is old'), 'step:0');
  await alice.shows('New API key');
  expect(await running.slack.messages('C0OPS')).toEqual([]);
});

test('that nobody could be told is said, so that it is tried again', async () => {
  await expect(remind(['U0NOBODY'])).rejects.toThrow();
  await expect(remind([])).resolves.toBeUndefined();
});

test('ten people are told at most', async () => {
  const nobody = Array.from({ length: 9 }, () => 'U0NOBODY');
  await remind(['U0ALICE', ...nobody, 'U0BOB']);
  expect(await running.slack.messages('U0ALICE')).toHaveLength(1);
  expect(await running.slack.messages('U0BOB', 'U0BOB')).toEqual([]);
});
