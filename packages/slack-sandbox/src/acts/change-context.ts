import type { Core } from '../core.ts';
import { findOrCreateDirectMessage } from '../workspace/channels/channel-lookup.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type ActionResult, toActionResult } from './action-result.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/**
 * Opens another channel beside the assistant or agent. An assistant is told for the person's newest
 * thread with it.
 */
export async function changeContext(
  core: Core,
  workspace: Workspace,
  person: Person,
  seen: Channel,
): Promise<ActionResult> {
  const { team, enterprise, assistantThreads } = workspace;
  const channel = findOrCreateDirectMessage(workspace, person.id, core.clock.now());
  const thread = assistantThreads.list().findLast((one) => one.channel === channel.id);
  const event_ts = core.ids.ts();
  const outcome = core.manifest.isAgent
    ? await core.events.send(workspace, {
        event: {
          type: 'app_context_changed',
          channel: channel.id,
          user: person.id,
          context: {
            entities: [{ type: 'slack#/types/channel_id', value: seen.id, team_id: team.id }],
          },
          event_ts,
        },
        channel,
      })
    : thread &&
      (await core.events.send(workspace, {
        event: {
          type: 'assistant_thread_context_changed',
          assistant_thread: {
            user_id: person.id,
            context: { channel_id: seen.id, team_id: team.id, enterprise_id: enterprise?.id ?? null },
            channel_id: channel.id,
            thread_ts: thread.ts,
          },
          event_ts,
        },
        channel,
      }));
  if (!outcome) {
    throw new InvalidActionError(
      'The app is told nothing: no thread with it is open, or it has not subscribed to the change of context',
    );
  }
  return toActionResult(outcome);
}
