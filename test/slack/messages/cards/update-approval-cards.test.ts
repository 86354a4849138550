import { webApi } from '@slack/bolt';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostingOperations } from '../../../../src/operations/hosting-operations.ts';
import type { ApprovalCard } from '../../../../src/runs/pipeline/approval/approval-card.ts';
import { createDataTables } from '../../../../src/slack/client/data-tables.ts';
import { createApprovalCards } from '../../../../src/slack/messages/cards/approval-cards.ts';
import { createRunMessageRenderer } from '../../../../src/slack/messages/run-message-renderer.ts';
import { createRun } from '../../../runs/create-run.ts';
import { noSecrets } from '../../../runs/no-secrets.ts';
import { createSlackDriver, manifestPath } from '../../../stack.ts';

let sandbox: SlackSandbox;
beforeAll(async () => {
  sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
});
afterAll(() => sandbox.close());

test('a card is replaced in the messages that Slack still has, and an error says if there are none', async () => {
  const slackApiUrl = `${sandbox.url}/api/`;
  const client = new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl });
  const { update } = createApprovalCards({
    clients: Object.assign(async () => client, { apiUrl: slackApiUrl, ...createDataTables() }),
    listPermittedUsers: async () => [],
    postRequest: async () => [],
    runMessages: createRunMessageRenderer(
      hostingOperations(),
      { findDisplayName: async (_, id) => id },
      noSecrets,
    ),
  });
  const run = createRun({ status: 'waiting', settledMs: null, approval: { cards: [], approverId: null } });
  const card: ApprovalCard = {
    token: 'run-1.digest',
    run,
    title: 'Reboot VPS-10001',
    button: 'Reboot',
    effect: 'disrupt',
    facts: [],
    hasTargetChanged: true,
    requiredAccess: undefined,
  };
  const posted = await client.chat.postMessage({ channel: 'C0OPS', text: 'the card' });
  const messages = [
    { channel: 'C0OPS', ts: posted.ts ?? '' },
    { channel: 'C0OPS', ts: '1.2' },
  ];
  await update(card, messages);
  expect((await createSlackDriver(sandbox.url).messages()).map(({ text }) => text)).toEqual([
    expect.stringContaining('Reboot VPS-10001: approval needed'),
  ]);
  await expect(update(card, messages.slice(1))).rejects.toThrow('message_not_found');
});
