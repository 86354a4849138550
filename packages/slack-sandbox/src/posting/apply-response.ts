import type { Core } from '../core.ts';
import type { ResponseTarget } from '../delivery/response-urls.ts';
import { getString, type JsonObject } from '../json.ts';
import { resolveThreadParent } from '../web-api/destination.ts';
import { SlackError } from '../web-api/slack-error.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { assertNotEmpty, type MessageContent, maxTextChars, parseMessageContent } from './message-content.ts';
import { postAsApp, toMessageFields, toTextBlocks } from './post-message.ts';

/**
 * Applies a message that the app sent to a `response_url` or as acknowledgement of a command.
 * Posts, replaces or deletes a message. A clicked message is replaced unless `replace_original` is
 * false. A command has no message to replace.
 */
export function applyResponse(
  core: Core,
  workspace: Workspace,
  target: ResponseTarget,
  given: JsonObject,
): void {
  const channel = workspace.channels.get(target.channel);
  if (!channel) throw new SlackError('channel_not_found');
  const content = parseMessageContent(given, workspace, core);
  if ((content.text?.length ?? 0) > maxTextChars) throw new SlackError('msg_too_long');
  const { original } = target;
  const isDeleting = isTrue(given.delete_original);
  if (isDeleting && original) remove(workspace, target, original);
  if (isDeleting && isEmpty(content)) return;
  assertNotEmpty(content);
  const isReplacing = original && !isDeleting && !isFalse(given.replace_original);
  if (isReplacing) replace(core, workspace, target, original, content);
  else post(core, workspace, target, channel, content, given);
}

type Original = NonNullable<ResponseTarget['original']>;

function remove({ messages }: Workspace, { channel, user }: ResponseTarget, { ts, isEphemeral }: Original) {
  const isThere = isEphemeral ? messages.findEphemeral(channel, ts, user) : messages.find(channel, ts);
  if (isThere) messages.delete(channel, ts, isEphemeral ? user : undefined);
}

function replace(
  core: Core,
  { messages }: Workspace,
  { channel, user }: ResponseTarget,
  { ts, isEphemeral }: Original,
  content: MessageContent,
) {
  const isThere = isEphemeral ? messages.findEphemeral(channel, ts, user) : messages.find(channel, ts);
  // Slack doesn't store ephemeral messages, so it can't check whether one exists.
  if (!isThere && isEphemeral) return;
  if (!isThere) throw new SlackError('message_not_found');
  const whole = { ...content, blocks: content.blocks ?? [], attachments: content.attachments ?? [] };
  const fields = { ...toMessageFields(whole), ...toTextBlocks(core, whole) };
  messages.update(channel, ts, fields, isEphemeral ? user : undefined);
}

function post(
  core: Core,
  workspace: Workspace,
  target: ResponseTarget,
  channel: Channel,
  content: MessageContent,
  given: JsonObject,
) {
  const threadTs = resolveThreadParent(workspace, channel, getString(given, 'thread_ts'))?.ts;
  const isPublic = given.response_type === 'in_channel';
  postAsApp(core, workspace, content, { channel, threadTs, ...(!isPublic && { visibleTo: target.user }) });
}

const isEmpty = ({ text, blocks, attachments }: MessageContent) =>
  !text && !blocks?.length && !attachments?.length;
const isTrue = (value: unknown) => value === true || value === 'true';
const isFalse = (value: unknown) => value === false || value === 'false';
