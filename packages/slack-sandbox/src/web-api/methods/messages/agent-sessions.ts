import { z } from 'zod';
import { announceEvent } from '../../../delivery/announce-event.ts';
import type { AgentSession } from '../../../workspace/channels/agent-sessions.ts';
import type { Channel } from '../../../workspace/channels/channels.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nonEmptyString } from '../../arguments.ts';
import { resolveChannelById } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

/** From docs.slack.dev/reference/methods/agents.sessions.setStatus. */
const maxTitleChars = 200;
const stopEvent = 'agent_session_stopped';

const place = { channel_id: nonEmptyString, thread_ts: nonEmptyString.optional() };

export const agentsSessionsSetStatus = defineMethod({
  name: 'agents.sessions.setStatus',
  tier: 3,
  scopes: ['chat:write'],
  callers: 'bots',
  args: () =>
    z.object({
      ...place,
      status: z.string(),
      title: z.string().optional(),
      initiator_user_id: nonEmptyString.optional(),
    }),
  run({ status, title = '', initiator_user_id: user, ...args }, core, workspace) {
    const { isAgent, events } = core.manifest;
    if (!isAgent) throw new SlackError('feature_disabled');
    const { channel, threadTs } = resolveThread(workspace, args);
    if (user !== undefined && !channel.members.has(user)) throw new SlackError('user_not_found');
    if (!isStatus(status)) throw new SlackError('invalid_status');
    const session = workspace.agentSessions.open(channel.id, threadTs, title.slice(0, maxTitleChars));
    session.status = status;
    core.changes.publish({ kind: 'channel', team: workspace.team.id, channel: channel.id });
    const cannotBeStopped = status === 'processing' && !events.has(stopEvent);
    return {
      status,
      agent_status: status,
      title: session.title,
      ...(cannotBeStopped && { warning: `missing_${stopEvent}_event_subscription` }),
    };
  },
});

export const agentsSessionsRename = defineMethod({
  name: 'agents.sessions.rename',
  tier: 3,
  scopes: ['chat:write'],
  callers: 'bots',
  args: () => z.object({ ...place, title: z.string() }),
  run({ title, ...args }, core, workspace) {
    if (!core.manifest.isAgent) throw new SlackError('feature_disabled');
    const { channel, threadTs } = resolveThread(workspace, args);
    const session = workspace.agentSessions.find(channel.id, threadTs);
    if (!session) throw new SlackError('session_not_found');
    if (title === '' || title.length > maxTitleChars) throw new SlackError('invalid_name');
    const previousTitle = session.title;
    session.title = title;
    announceEvent(core, workspace, {
      event: {
        type: 'agent_session_title_changed',
        channel: channel.id,
        user: workspace.caller.userId,
        team_id: workspace.team.id,
        thread_ts: threadTs,
        title,
        previous_title: previousTitle,
        event_ts: core.ids.ts(),
      },
      channel,
    });
    return { title };
  },
});

function isStatus(text: string): text is AgentSession['status'] {
  return ['active', 'processing', 'suspended', 'closed'].includes(text);
}

interface ThreadReference {
  readonly channel_id: string;
  readonly thread_ts?: string | undefined;
}

function resolveThread(
  workspace: Workspace,
  { channel_id, thread_ts: threadTs }: ThreadReference,
): { channel: Channel; threadTs: string } {
  const channel = resolveChannelById(workspace, channel_id);
  if (!channel.members.has(workspace.caller.userId)) throw new SlackError('not_authorized');
  if (threadTs === undefined) throw new SlackError('thread_ts_required');
  if (!workspace.messages.find(channel.id, threadTs)) throw new SlackError('channel_not_found');
  return { channel, threadTs };
}
