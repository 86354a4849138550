import type { Run } from '../../operations/runs/run.ts';
import type { SlackClient } from '../clients.ts';
import type { RunMessages } from '../run-message.ts';

/** Shows what became of what second persons were asked, in every place. Gives what kept a card from being closed: one must not keep the others. */
export async function closeCards(
  client: SlackClient,
  runMessages: RunMessages,
  run: Run,
): Promise<readonly unknown[]> {
  const decided = await runMessages.decided(run);
  const places = run.approval?.places ?? [];
  const closed = await Promise.allSettled(
    places.map((place) => client.chat.update({ ...place, ...decided })),
  );
  return closed.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
}
