import { randomUUID } from 'node:crypto';
import type { Core } from '../core.ts';
import { sendLinksShared } from '../delivery/link-events.ts';
import type { AppManifest } from '../manifest.ts';
import { toRichTextBlock } from '../mrkdwn/rich-text-block.ts';
import { postWithFiles } from '../posting/share-files.ts';
import { encodeTypedText } from '../typed-text.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { StoredFile } from '../workspace/files/file-store.ts';
import type { Message, MessageDraft } from '../workspace/messages/message.ts';
import type { Person } from '../workspace/seed.ts';
import { createNameDirectory, type Workspace } from '../workspace/workspace.ts';
import { type ActionResult, toActionResult } from './action-result.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/** The result of sending a message. `acknowledged` is set only if an `app_mention` was sent to the app. */
export type SendMessageResult = Partial<ActionResult> & { readonly ts: string; readonly note?: string };

/**
 * Posts what a person typed. Every mentioned app that is in the channel and has subscribed gets an
 * `app_mention`. The result is that of the first one.
 */
export async function sendMessage(
  core: Core,
  workspace: Workspace,
  typed: ComposerInput,
): Promise<SendMessageResult> {
  const message = postTypedMessage(core, workspace, typed);
  const mentions: Promise<Partial<SendMessageResult>>[] = [];
  for (const app of core.apps()) {
    const own = app.findWorkspace(workspace.team.id);
    if (!own) continue;
    sendLinksShared(app, own, typed.channel, message);
    const isMention = message.text.includes(`<@${own.bot.userId}>`) && typed.channel.kind !== 'im';
    if (isMention) mentions.push(sendMention(app, own, typed.channel, message));
  }
  const [first] = await Promise.all(mentions);
  return { ts: message.ts, ...first };
}

async function sendMention(
  core: Core,
  workspace: Workspace,
  channel: Channel,
  message: Message,
): Promise<Partial<SendMessageResult>> {
  if (!channel.members.has(workspace.bot.userId)) {
    return { note: 'The app is not in this channel, so Slack sends it no event' };
  }
  const { subtype: _, ...mention } = message;
  const outcome = await core.events.send(workspace, {
    event: { ...mention, type: 'app_mention', channel: channel.id, event_ts: message.ts },
    channel,
  });
  return outcome ? toActionResult(outcome) : { note: 'The manifest does not subscribe to app_mention' };
}

/** Adds a mention of the app to text that doesn't mention it. */
export function prependAppMention(workspace: Workspace, text: string): string {
  const names = [workspace.people.get(workspace.bot.userId)].flatMap((bot) =>
    bot ? [bot.name, bot.realName] : [],
  );
  const isThere = names.some((name) => text.toLowerCase().includes(`@${name.toLowerCase()}`));
  return isThere ? text : `@${names[0]} ${text}`;
}

function postTypedMessage(
  core: Core,
  workspace: Workspace,
  { person, channel, text, threadTs, smartPunctuation, files = [] }: ComposerInput,
): Message {
  if (text.trim() === '' && files.length === 0)
    throw new InvalidActionError('A message without text cannot be sent');
  const parent = threadTs === undefined ? undefined : workspace.messages.find(channel.id, threadTs);
  if (threadTs !== undefined && !parent)
    throw new InvalidActionError(`There is no message ${threadTs} to reply to`, 404);
  const encoded = encodeTypedText(text, createNameDirectory(workspace), {
    surface: 'message',
    escape: true,
    smartPunctuation,
  });
  const isStranger = person.teamId !== workspace.team.id;
  const draft: MessageDraft = {
    client_msg_id: randomUUID(),
    user: person.id,
    team: person.teamId,
    text: encoded,
    ...(encoded && { blocks: [toRichTextBlock(encoded, core.ids.elementId())] }),
    ...(parent && { thread_ts: parent.thread_ts ?? parent.ts }),
    ...(isStranger && { user_team: person.teamId, source_team: person.teamId }),
  };
  if (files.length === 0) return workspace.messages.post(channel.id, draft);
  return postWithFiles(core, workspace, files, channel, (shared) =>
    workspace.messages.post(channel.id, {
      ...draft,
      subtype: 'file_share',
      files: shared,
      upload: false,
      display_as_bot: false,
    }),
  );
}

/** Text that a person types into a channel's composer. */
export interface ComposerInput {
  readonly person: Person;
  readonly channel: Channel;
  readonly text: string;
  /** Set if the text was typed in a thread. */
  readonly threadTs?: string | undefined;
  /** Whether the keyboard makes quotes and dashes typographic, as on macOS and phones. */
  readonly smartPunctuation: boolean;
  /** Files that the person has uploaded, to be shared with the text. */
  readonly files?: readonly StoredFile[];
}

/** Throws if the person isn't in the channel, or if the channel doesn't accept messages. */
export function assertCanType(
  { messagesTab, isAssistant }: AppManifest,
  { person, channel, threadTs }: ComposerInput,
): void {
  if (!channel.members.has(person.id)) throw new InvalidActionError(`${person.id} is not in ${channel.id}`);
  if (channel.isArchived) throw new InvalidActionError(`${channel.id} is archived`);
  if (isAssistant && threadTs !== undefined) return;
  if (channel.kind === 'im' && messagesTab !== 'open') {
    throw new InvalidActionError(
      'Sending messages to this app has been turned off: in the manifest, features.app_home needs ' +
        'messages_tab_enabled: true and messages_tab_read_only_enabled: false',
    );
  }
}
