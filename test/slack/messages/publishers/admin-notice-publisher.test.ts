import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createVault } from '../../../../src/db/encryption/vault.ts';
import { openDatabase } from '../../../../src/db/engines/database.ts';
import { replaceKeyStep } from '../../../../src/operations/define/key-steps.ts';
import { createDataTables } from '../../../../src/slack/client/data-tables.ts';
import { identifyInstallation } from '../../../../src/slack/client/identify-installation.ts';
import { createSlackClients, interactiveRetry } from '../../../../src/slack/client/slack-clients.ts';
import { createSlackLogger } from '../../../../src/slack/client/slack-logger.ts';
import { createAdminNoticePublisher } from '../../../../src/slack/messages/publishers/admin-notice-publisher.ts';
import { createInstallationStore } from '../../../../src/workspaces/installation-store.ts';
import { useStack } from '../../../use-stack.ts';
import { createKeyModalDriver } from '../../modals/api-key/api-key-driver.ts';

const running = useStack();

/** Sends a reminder to people of Acme, like the app. */
async function remind(people: readonly string[], preferredAdmin?: string): Promise<boolean> {
  const log = pino({ level: 'silent' });
  const apiUrl = `${running.slack.url}/api/`;
  const { db, close } = await openDatabase('sqlite::memory:');
  const installations = createInstallationStore(db, createVault([randomBytes(32)]));
  await installations.save(await identifyInstallation('xoxb-sandbox-acme', { apiUrl, log }), Date.now());
  const options = {
    apiUrl,
    logger: createSlackLogger(log),
    dataTables: createDataTables(),
    retryConfig: interactiveRetry,
  };
  const clients = createSlackClients(installations, options);
  const remindOf = createAdminNoticePublisher(clients, async () => people);
  return remindOf('T0ACME', { title: 'The key is old', next: [replaceKeyStep] }, preferredAdmin).finally(
    close,
  );
}

test('people allowed to change a key are reminded by DM, with the button that opens the modal', async () => {
  await remind(['U0NOBODY', 'U0ALICE']);
  const alice = createKeyModalDriver(running.slack, { user: 'U0ALICE', channel: 'U0ALICE', team: 'T0ACME' });
  await alice.click(await alice.says('The key is old'), 'Replace Key…');
  await alice.shows('New API key');
  expect(await running.slack.messages('C0OPS')).toEqual([]);
});

test('a reminder that reaches nobody fails, so that it is retried', async () => {
  await expect(remind(['U0NOBODY'])).rejects.toThrow();
  await expect(remind([])).resolves.toBe(false);
});

test('a reminder goes to ten people at most', async () => {
  const nobody = Array.from({ length: 9 }, () => 'U0NOBODY');
  await remind(['U0ALICE', ...nobody, 'U0BOB']);
  expect(await running.slack.messages('U0ALICE')).toHaveLength(1);
  expect(await running.slack.messages('U0BOB', 'U0BOB')).toEqual([]);
});

test('a message for one admin goes to all admins if that person is not one of them', async () => {
  await remind(['U0ALICE', 'U0BOB'], 'U0BOB');
  expect(await running.slack.messages('U0ALICE')).toEqual([]);
  await remind(['U0ALICE'], 'U0CAROL');
  expect(await running.slack.messages('U0ALICE')).toHaveLength(1);
});
