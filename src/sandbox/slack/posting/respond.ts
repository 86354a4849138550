import type { Core } from '../core.ts';
import type { ResponseTarget } from '../delivery/response-urls.ts';
import { type JsonObject, textAt } from '../json.ts';
import { threadParent } from '../web-api/destination.ts';
import { SlackError } from '../web-api/slack-error.ts';
import type { Channel } from '../world/channels.ts';
import type { Workspace } from '../world/workspace.ts';
import { type Content, maxTextChars, readContent, refuseEmpty } from './content.ts';
import { postAsApp, said } from './post.ts';

/**
 * Does what the app asks through a `response_url` or in the acknowledgement of a slash command: posts, replaces or
 * deletes. A clicked message is replaced unless `replace_original` is false; there is nothing to replace for a command.
 */
export function respond(core: Core, workspace: Workspace, target: ResponseTarget, given: JsonObject): void {
  const channel = workspace.channels.get(target.channel);
  if (!channel) throw new SlackError('channel_not_found');
  const content = readContent(given, workspace, core.mint);
  if ((content.text?.length ?? 0) > maxTextChars) throw new SlackError('msg_too_long');
  const { original } = target;
  const isDeleting = isTrue(given.delete_original);
  if (isDeleting && original) remove(workspace, target, original);
  if (isDeleting && isEmpty(content)) return;
  refuseEmpty(content);
  const isReplacing = original && !isDeleting && !isFalse(given.replace_original);
  if (isReplacing) replace(workspace, target, original, content);
  else post(core, workspace, target, channel, content, given);
}

type Original = NonNullable<ResponseTarget['original']>;

function remove({ messages }: Workspace, { channel, user }: ResponseTarget, { ts, isEphemeral }: Original) {
  const isThere = isEphemeral ? messages.findEphemeral(channel, ts, user) : messages.find(channel, ts);
  if (isThere) messages.remove(channel, ts, isEphemeral ? user : undefined);
}

function replace(
  { messages }: Workspace,
  { channel, user }: ResponseTarget,
  { ts, isEphemeral }: Original,
  content: Content,
) {
  const isThere = isEphemeral ? messages.findEphemeral(channel, ts, user) : messages.find(channel, ts);
  // Slack forgets ephemeral messages that it has shown, so it cannot tell whether one is still there.
  if (!isThere && isEphemeral) return;
  if (!isThere) throw new SlackError('message_not_found');
  const whole = { ...content, blocks: content.blocks ?? [], attachments: content.attachments ?? [] };
  messages.edit(channel, ts, said(whole), isEphemeral ? user : undefined);
}

function post(
  core: Core,
  workspace: Workspace,
  target: ResponseTarget,
  channel: Channel,
  content: Content,
  given: JsonObject,
) {
  const threadTs = threadParent(workspace, channel, textAt(given, 'thread_ts'))?.ts;
  const isPublic = given.response_type === 'in_channel';
  postAsApp(core, workspace, content, { channel, threadTs, ...(!isPublic && { visibleTo: target.user }) });
}

const isEmpty = ({ text, blocks, attachments }: Content) => !text && !blocks?.length && !attachments?.length;
const isTrue = (value: unknown) => value === true || value === 'true';
const isFalse = (value: unknown) => value === false || value === 'false';
