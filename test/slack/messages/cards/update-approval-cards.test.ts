import { expect, test } from 'vitest';
import { hostingOperations } from '../../../../src/operations/hosting-operations.ts';
import type { ApprovalCard } from '../../../../src/runs/pipeline/approval/approval-card.ts';
import { createApprovalCards } from '../../../../src/slack/messages/cards/approval-cards.ts';
import { createRunMessageRenderer } from '../../../../src/slack/messages/run-message-renderer.ts';
import { createRun } from '../../../runs/create-run.ts';
import { noSecrets } from '../../../runs/no-secrets.ts';
import { useSlack } from '../../use-slack.ts';

const slack = useSlack();

test('a card is replaced in the messages that Slack still has, and an error says if there are none', async () => {
  const { update } = createApprovalCards({
    clients: slack.clients,
    listPermittedUsers: async () => [],
    postRequest: async () => [],
    runMessages: createRunMessageRenderer(
      hostingOperations(),
      { findDisplayName: async (_, id) => id },
      noSecrets,
    ),
  });
  const card: ApprovalCard = {
    token: 'run-1.digest',
    run: createRun({ status: 'waiting', settledMs: null, approval: { cards: [], approverId: null } }),
    title: 'Reboot VPS-10001',
    button: 'Reboot',
    effect: 'disrupt',
    facts: [],
    hasTargetChanged: true,
    requiredAccess: undefined,
  };
  const posted = await slack.connect().chat.postMessage({ channel: 'C0OPS', text: 'the card' });
  const gone = { channel: 'C0OPS', ts: '1.2' };
  await update(card, [{ channel: 'C0OPS', ts: posted.ts ?? '' }, gone]);
  expect((await slack.driver.messages()).map(({ text }) => text)).toEqual([
    expect.stringContaining('Reboot VPS-10001: approval needed'),
  ]);
  await expect(update(card, [gone])).rejects.toThrow('message_not_found');
});
