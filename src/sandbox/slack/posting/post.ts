import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import type { Channel } from '../world/channels.ts';
import type { Draft, Message } from '../world/messages.ts';
import { app } from '../world/seed.ts';
import type { Workspace } from '../world/workspace.ts';
import type { Content } from './content.ts';

/** What Slack shows for a message whose blocks came without text. */
const noFallback = "This content can't be displayed.";

interface Place {
  readonly channel: Channel;
  readonly threadTs?: string | undefined;
  /** Set for an ephemeral message: who sees it. */
  readonly visibleTo?: string;
  readonly isBroadcast?: boolean | undefined;
  /** What `files.info` says of the files that it shows. */
  readonly files?: readonly JsonObject[];
}

/** Posts a message as the app. */
export function postAsApp(core: Core, workspace: Workspace, content: Content, place: Place): Message {
  const { channel, threadTs, visibleTo, isBroadcast, files } = place;
  const draft: Draft = {
    ...(threadTs !== undefined && isBroadcast && { subtype: 'thread_broadcast' }),
    user: workspace.bot.userId,
    bot_id: workspace.bot.id,
    app_id: app.id,
    team: workspace.team.id,
    bot_profile: botProfile(core, workspace),
    ...said(content),
    ...(files && { files }),
    ...(threadTs !== undefined && { thread_ts: threadTs }),
  };
  return workspace.messages.post(channel.id, draft, visibleTo);
}

/** Answers the fields of a message that content fills. */
export function said({ text, blocks, attachments, metadata }: Content): Pick<Draft, 'text'> & Partial<Draft> {
  return {
    text: text || (blocks?.length ? noFallback : ''),
    ...(blocks && { blocks }),
    ...(attachments && {
      attachments: attachments.map((attachment, index) => ({ id: index + 1, ...attachment })),
    }),
    ...(metadata && { metadata }),
  };
}

/** Shows a person something of Slack's own in a channel: an error, a hint. */
export function postAsSlackbot(workspace: Workspace, channel: Channel, user: string, text: string): Message {
  const draft: Draft = { user: 'USLACKBOT', team: workspace.team.id, text };
  return workspace.messages.post(channel.id, draft, user);
}

function botProfile(core: Core, workspace: Workspace): JsonObject {
  return {
    id: workspace.bot.id,
    app_id: app.id,
    user_id: workspace.bot.userId,
    name: core.manifest.botName,
    deleted: false,
    updated: 0,
    team_id: workspace.team.id,
  };
}
