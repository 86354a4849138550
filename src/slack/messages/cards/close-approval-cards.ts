import type { Run } from '../../../runs/run.ts';
import type { SlackClient } from '../../client/slack-clients.ts';
import type { RunMessageRenderer } from '../run-message-renderer.ts';

/**
 * Updates all approval cards of a run after the decision. Returns an error for each card that
 * couldn't be updated.
 */
export async function closeApprovalCards(
  client: SlackClient,
  runMessages: RunMessageRenderer,
  run: Run,
): Promise<readonly unknown[]> {
  const decided = await runMessages.renderDecided(run);
  const cards = run.approval?.cards ?? [];
  const closed = await Promise.allSettled(cards.map((card) => client.chat.update({ ...card, ...decided })));
  return closed.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
}
