import { z } from 'zod';
import { toAssistantThreadField } from '../../../acts/open-assistant.ts';
import type { Core } from '../../../core.ts';
import type { AssistantThread } from '../../../workspace/channels/assistant-threads.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { jsonArgument, nonEmptyString } from '../../arguments.ts';
import { resolveChannelById } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

/** Slack accepts both for now (docs.slack.dev/reference/methods/assistant.threads.setStatus). */
const scopes = ['assistant:write', 'chat:write'];
const maxPrompts = 4;
const maxLoadingMessages = 10;

export const assistantThreadsSetStatus = defineMethod({
  name: 'assistant.threads.setStatus',
  tier: 'special',
  scopes,
  callers: 'bots',
  args: () =>
    z.object({
      channel_id: nonEmptyString,
      thread_ts: nonEmptyString,
      status: z.string(),
      loading_messages: jsonArgument(z.array(z.string()).max(maxLoadingMessages)).optional(),
    }),
  run({ channel_id, thread_ts, status }, core, workspace) {
    changeThread(core, workspace, channel_id, thread_ts, { status });
    return {};
  },
});

export const assistantThreadsSetTitle = defineMethod({
  name: 'assistant.threads.setTitle',
  tier: 4,
  scopes,
  callers: 'bots',
  args: () => z.object({ channel_id: nonEmptyString, thread_ts: nonEmptyString, title: nonEmptyString }),
  run({ channel_id, thread_ts, title }, core, workspace) {
    changeThread(core, workspace, channel_id, thread_ts, { title });
    const isRoot = workspace.messages.find(channel_id, thread_ts)?.assistant_app_thread !== undefined;
    if (isRoot) {
      const field = { assistant_app_thread: toAssistantThreadField(title) };
      workspace.messages.update(channel_id, thread_ts, field);
    }
    return {};
  },
});

export const assistantThreadsSetSuggestedPrompts = defineMethod({
  name: 'assistant.threads.setSuggestedPrompts',
  tier: 4,
  scopes,
  callers: 'bots',
  args: () =>
    z.object({
      channel_id: nonEmptyString,
      thread_ts: nonEmptyString,
      title: z.string().optional(),
      prompts: jsonArgument(
        z
          .array(z.object({ title: nonEmptyString, message: nonEmptyString }))
          .min(1)
          .max(maxPrompts),
      ),
    }),
  run({ channel_id, thread_ts, prompts, title: promptsTitle = '' }, core, workspace) {
    changeThread(core, workspace, channel_id, thread_ts, { prompts, promptsTitle });
    return {};
  },
});

/** Changes what the app shows in a thread, and shows it to the person who looks at it. */
function changeThread(
  { changes }: Core,
  workspace: Workspace,
  channelId: string,
  ts: string,
  change: Partial<AssistantThread>,
): void {
  const channel = resolveChannelById(workspace, channelId);
  if (!workspace.messages.find(channel.id, ts)) throw new SlackError('invalid_thread_ts');
  Object.assign(workspace.assistantThreads.open(channel.id, ts), change);
  changes.publish({ kind: 'assistant', team: workspace.team.id });
}
