import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import { findOrCreateDirectMessage } from '../workspace/channels/channel-lookup.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/** The title of a thread until the app sets one. */
const newThreadTitle = 'New Assistant Thread';

/** Describes a thread with an assistant as its first message does. */
export function toAssistantThreadField(title: string): JsonObject {
  return { title, title_blocks: [], artifacts: [] };
}

/**
 * Opens a new thread with the app as an assistant, while the person looks at a channel. Returns
 * where the person can type.
 */
export function openAssistant(
  core: Core,
  workspace: Workspace,
  person: Person,
  contextChannel: string | undefined,
): { channel: string; thread_ts: string } {
  const { manifest, ids } = core;
  if (!manifest.isAssistant) {
    throw new InvalidActionError('The app is no assistant: the manifest needs features.assistant_view');
  }
  const channel = findOrCreateDirectMessage(workspace, person.id, core.clock.now());
  const { ts } = workspace.messages.post(channel.id, {
    subtype: 'assistant_app_thread',
    user: workspace.bot.userId,
    bot_id: workspace.bot.id,
    team: workspace.team.id,
    text: newThreadTitle,
    assistant_app_thread: toAssistantThreadField(newThreadTitle),
  });
  workspace.assistantThreads.open(channel.id, ts);
  core.changes.publish({ kind: 'assistant', team: workspace.team.id });
  const context =
    contextChannel === undefined ? {} : { channel_id: contextChannel, team_id: workspace.team.id };
  void core.events.send(workspace, {
    event: {
      type: 'assistant_thread_started',
      assistant_thread: {
        user_id: person.id,
        context: { ...context, enterprise_id: workspace.enterprise?.id ?? null },
        channel_id: channel.id,
        thread_ts: ts,
      },
      event_ts: ids.ts(),
    },
    channel,
  });
  return { channel: channel.id, thread_ts: ts };
}
