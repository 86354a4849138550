import type { Core } from '../core.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, toActionResult } from './action-result.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/**
 * Clicks the stop button of an agent that works in a thread. Streams in the thread end. The session's
 * status stays until the app changes it.
 */
export async function stopAgent(
  core: Core,
  workspace: Workspace,
  person: Person,
  channel: Channel,
  threadTs: string,
): Promise<ActionResult> {
  const session = workspace.agentSessions.find(channel.id, threadTs);
  if (session?.status !== 'processing') throw new InvalidActionError('No agent is working in this thread');
  const streams = workspace.messages
    .list(channel.id)
    .filter(({ thread_ts, streaming_state }) => thread_ts === threadTs && streaming_state === 'in_progress');
  for (const { ts } of streams) workspace.messages.update(channel.id, ts, { streaming_state: 'completed' });
  const outcome = await core.events.send(workspace, {
    event: {
      type: 'agent_session_stopped',
      channel: channel.id,
      user: person.id,
      thread_ts: threadTs,
      streaming_message_ts: streams.map(({ ts }) => ts),
      event_ts: core.ids.ts(),
    },
    channel,
  });
  if (!outcome) {
    throw new InvalidActionError(
      'There is no stop button: the app has not subscribed to agent_session_stopped',
    );
  }
  return toActionResult(outcome);
}
