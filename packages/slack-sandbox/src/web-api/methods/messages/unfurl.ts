import { z } from 'zod';
import { isObject, type JsonObject } from '../../../json.ts';
import { listEntities, parseMessageContent } from '../../../posting/message-content.ts';
import { toMessageFields } from '../../../posting/post-message.ts';
import { jsonArgument, nonEmptyString } from '../../arguments.ts';
import { assertMember, resolveChannelById, resolveMessage } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

export const chatUnfurl = defineMethod({
  name: 'chat.unfurl',
  tier: 3,
  scopes: ['links:write'],
  args: z.object({
    channel: nonEmptyString,
    ts: nonEmptyString,
    unfurls: jsonArgument(z.record(z.string(), z.unknown())).optional(),
    metadata: jsonArgument(z.unknown()).optional(),
  }),
  run({ channel: id, ts, unfurls, metadata }, core, workspace) {
    const channel = resolveChannelById(workspace, id);
    const message = resolveMessage(workspace, channel, ts);
    const entities = listEntities(metadata);
    const isLinked = ({ app_unfurl_url: url }: JsonObject) =>
      message.text.includes(String(url).replaceAll('&', '&amp;'));
    if (!entities.every(isLinked)) throw new SlackError('cannot_unfurl_url');
    if (entities.length > 0) {
      workspace.workObjects.set(`${id}/${ts}`, entities);
      workspace.messages.decorate(id, ts, {});
    }
    if (!unfurls || Object.keys(unfurls).length === 0) {
      if (entities.length > 0) return {};
      throw new SlackError('missing_unfurls');
    }
    const previews = Object.entries(unfurls).map(([url, preview]) => {
      if (!message.text.includes(url.replaceAll('&', '&amp;'))) throw new SlackError('cannot_unfurl_url');
      if (!isObject(preview)) throw new SlackError('cannot_parse_attachment');
      return { ...preview, from_url: url, app_unfurl_url: url, is_app_unfurl: true };
    });
    const others = (message.attachments ?? []).filter(({ from_url }) => !(String(from_url) in unfurls));
    const content = parseMessageContent({ attachments: [...others, ...previews] }, workspace, core);
    const { attachments } = toMessageFields(content);
    workspace.messages.update(channel.id, ts, attachments ? { attachments } : {});
    return {};
  },
});

export const chatMeMessage = defineMethod({
  name: 'chat.meMessage',
  tier: 3,
  scopes: ['chat:write'],
  args: z.object({ channel: nonEmptyString, text: z.string().default('') }),
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
