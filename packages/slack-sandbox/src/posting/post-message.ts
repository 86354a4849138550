import type { Core } from '../core.ts';
import { linkMessageToFunction } from '../functions/function-surfaces.ts';
import type { JsonObject } from '../json.ts';
import { toRichTextBlock } from '../mrkdwn/rich-text-block.ts';
import { toBotIcons } from '../web-api/objects/avatar.ts';
import { listBlockText } from '../workspace/block-text.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Message, MessageDraft } from '../workspace/messages/message.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type CustomAuthor, toAuthorFields } from './custom-author.ts';
import { listEntities, type MessageContent } from './message-content.ts';

/** Slack's fallback text for a message that has no text, not even in its blocks. */
const missingTextFallback = "This content can't be displayed.";

interface PostTarget {
  readonly channel: Channel;
  readonly threadTs?: string | undefined;
  /** Set for an ephemeral message, to the only person who can see it. */
  readonly visibleTo?: string;
  readonly isBroadcast?: boolean | undefined;
  /** The name and avatar that the app wants for this message. */
  readonly author?: CustomAuthor;
  /** The attached files in the form that `files.info` returns. */
  readonly files?: readonly JsonObject[];
  /** Set if the message is a stream that the app appends to. */
  readonly streamingState?: 'in_progress';
}

/** Posts a message as the app. */
export function postAsApp(
  core: Core,
  workspace: Workspace,
  content: MessageContent,
  place: PostTarget,
): Message {
  const { channel, threadTs, visibleTo, isBroadcast, files, streamingState, author } = place;
  if (threadTs !== undefined) workspace.assistantThreads.clearStatus(channel.id, threadTs);
  const draft: MessageDraft = {
    ...toAuthorFields(core.manifest, author),
    ...(threadTs !== undefined && isBroadcast && { subtype: 'thread_broadcast' }),
    user: workspace.caller.userId,
    bot_id: workspace.bot.id,
    app_id: core.app.id,
    team: workspace.team.id,
    bot_profile: botProfile(core, workspace),
    ...toMessageFields(content),
    ...(!files && !streamingState && toTextBlocks(core, content)),
    ...(files && { files }),
    ...(streamingState && { streaming_state: streamingState }),
    ...(threadTs !== undefined && { thread_ts: threadTs }),
  };
  const message = workspace.messages.post(channel.id, draft, visibleTo);
  linkMessageToFunction(workspace, channel.id, message.ts);
  const entities = listEntities(content.metadata);
  if (entities.length > 0) workspace.workObjects.set(`${channel.id}/${message.ts}`, entities);
  return message;
}

/** Converts content to the fields of a message. */
export function toMessageFields({
  text,
  blocks,
  attachments,
  metadata,
}: MessageContent): Pick<MessageDraft, 'text'> & Partial<MessageDraft> {
  return {
    text: text || (blocks?.length ? listBlockText(blocks).join('\n') || missingTextFallback : ''),
    ...(blocks && { blocks }),
    ...(attachments && {
      attachments: attachments.map((attachment, index) => ({ id: index + 1, ...attachment })),
    }),
    ...(metadata && { metadata }),
  };
}

/** Returns the field `blocks` that Slack adds to a message that has only text. */
export function toTextBlocks(
  { ids }: Core,
  { text, blocks, attachments }: Pick<MessageContent, 'text' | 'blocks' | 'attachments'>,
): { blocks?: JsonObject[] } {
  if (!text || blocks?.length || attachments?.length) return {};
  return { blocks: [toRichTextBlock(text, ids.elementId())] };
}

/** Shows a message from Slack itself, such as an error or hint, to one person in a channel. */
export function postAsSlackbot(workspace: Workspace, channel: Channel, user: string, text: string): Message {
  const draft: MessageDraft = { user: 'USLACKBOT', team: workspace.team.id, text };
  return workspace.messages.post(channel.id, draft, user);
}

function botProfile(core: Core, workspace: Workspace): JsonObject {
  return {
    id: workspace.bot.id,
    app_id: core.app.id,
    user_id: workspace.bot.userId,
    name: core.manifest.botName,
    deleted: false,
    updated: 0,
    icons: toBotIcons(core.baseUrl(), workspace.bot.id),
    team_id: workspace.team.id,
  };
}
