import { z } from 'zod';
import { isObject, type JsonObject, parseJson } from '../../../json.ts';
import { listEntities, parseMessageContent } from '../../../posting/message-content.ts';
import { toMessageFields } from '../../../posting/post-message.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nonEmptyString } from '../../arguments.ts';
import { assertMember, isVisibleToApp, resolveChannelById } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

export const chatUnfurl = defineMethod({
  name: 'chat.unfurl',
  tier: 3,
  scopes: ['links:write'],
  args: () =>
    z.object({
      channel: z.string().optional(),
      ts: z.string().optional(),
      unfurl_id: z.string().optional(),
      source: z.string().optional(),
      unfurls: z.unknown().optional(),
      metadata: z.unknown().optional(),
    }),
  run(args, core, workspace) {
    const unfurls = parseArgument(args.unfurls, 'invalid_unfurls_format') ?? {};
    const metadata = parseArgument(args.metadata, 'invalid_metadata_format');
    const { channel, message } = resolveUnfurledMessage(workspace, args);
    const isInMessage = (url: string) => message.text.includes(url.replaceAll('&', '&amp;'));
    const entities = listEntities(metadata);
    if (!entities.every(({ app_unfurl_url: url }) => isInMessage(String(url)))) {
      throw new SlackError('cannot_unfurl_message');
    }
    if (entities.length > 0) {
      workspace.workObjects.set(`${channel.id}/${message.ts}`, entities);
      workspace.messages.decorate(channel.id, message.ts, {});
    }
    if (Object.keys(unfurls).length === 0) {
      if (entities.length > 0) return {};
      throw new SlackError('missing_unfurls');
    }
    const previews = Object.entries(unfurls).map(([url, preview]) => {
      if (!isInMessage(url)) throw new SlackError('cannot_unfurl_message');
      if (!isObject(preview)) throw new SlackError('cannot_parse_attachment');
      return { ...preview, from_url: url, app_unfurl_url: url, is_app_unfurl: true };
    });
    const others = (message.attachments ?? []).filter(({ from_url }) => !(String(from_url) in unfurls));
    const content = parseMessageContent({ attachments: [...others, ...previews] }, workspace, core);
    const { attachments } = toMessageFields(content);
    workspace.messages.update(channel.id, message.ts, attachments ? { attachments } : {});
    return {};
  },
});

function parseArgument(value: unknown, error: string): JsonObject | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  if (!isObject(parsed)) throw new SlackError(error);
  return parsed;
}

interface UnfurlTarget {
  readonly channel?: string | undefined;
  readonly ts?: string | undefined;
  /** The ID that `link_shared` named: a message's `ts` and its channel. */
  readonly unfurl_id?: string | undefined;
  readonly source?: string | undefined;
}

/** Returns the message with the links. It is given by channel and `ts`, or by `unfurl_id` and `source`. */
function resolveUnfurledMessage(workspace: Workspace, { source, unfurl_id, ...target }: UnfurlTarget) {
  let { channel: id, ts } = target;
  if (unfurl_id !== undefined || source !== undefined) {
    if (unfurl_id === undefined) throw new SlackError('missing_unfurl_id');
    if (source === undefined) throw new SlackError('missing_source');
    // People type into the sandbox without previews, so there are no links in a composer.
    if (source !== 'conversations_history') throw new SlackError('invalid_source');
    const [, seconds, channel] = /^(\d+\.\d+)\.(\w+)$/.exec(unfurl_id) ?? [];
    if (!seconds) throw new SlackError('invalid_unfurl_id');
    [id, ts] = [channel, seconds];
  }
  if (!id) throw new SlackError('missing_channel');
  if (!ts) throw new SlackError('missing_ts');
  const channel = workspace.channels.get(id);
  if (!channel || !isVisibleToApp(workspace, channel)) throw new SlackError('cannot_find_channel');
  const message = workspace.messages.find(channel.id, ts);
  if (!message || message.subtype === 'tombstone') throw new SlackError('cannot_find_message');
  return { channel, message };
}

export const chatMeMessage = defineMethod({
  name: 'chat.meMessage',
  tier: 3,
  scopes: ['chat:write'],
  args: () => z.object({ channel: nonEmptyString, text: z.string().default('') }),
  run({ channel: id, text }, _core, workspace) {
    const channel = resolveChannelById(workspace, id);
    assertMember(workspace, channel);
    if (channel.isArchived) throw new SlackError('is_archived');
    if (text === '') throw new SlackError('no_text');
    const { team, bot, caller } = workspace;
    const draft = { subtype: 'me_message', user: caller.userId, bot_id: bot.id, team: team.id, text };
    return { channel: id, ts: workspace.messages.post(id, draft).ts };
  },
});
