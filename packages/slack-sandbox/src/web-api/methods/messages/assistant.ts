import { z } from 'zod';
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
  args: z.object({
    channel_id: nonEmptyString,
    thread_ts: nonEmptyString,
    status: z.string(),
    loading_messages: jsonArgument(z.array(z.string()).max(maxLoadingMessages)).optional(),
  }),
  run({ channel_id, thread_ts, status }, _core, workspace) {
    resolveThread(workspace, channel_id, thread_ts).status = status;
    return {};
  },
});

export const assistantThreadsSetTitle = defineMethod({
  name: 'assistant.threads.setTitle',
  tier: 4,
  scopes,
  callers: 'bots',
  args: z.object({ channel_id: nonEmptyString, thread_ts: nonEmptyString, title: nonEmptyString }),
  run({ channel_id, thread_ts, title }, _core, workspace) {
    resolveThread(workspace, channel_id, thread_ts).title = title;
    return {};
  },
});

export const assistantThreadsSetSuggestedPrompts = defineMethod({
  name: 'assistant.threads.setSuggestedPrompts',
  tier: 4,
  scopes,
  callers: 'bots',
  args: z.object({
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
  run({ channel_id, thread_ts, prompts }, _core, workspace) {
    resolveThread(workspace, channel_id, thread_ts).prompts = prompts;
    return {};
  },
});

function resolveThread(workspace: Workspace, channelId: string, ts: string): AssistantThread {
  const channel = resolveChannelById(workspace, channelId);
  if (!workspace.messages.find(channel.id, ts)) throw new SlackError('invalid_thread_ts');
  return workspace.assistantThreads.open(channel.id, ts);
}
