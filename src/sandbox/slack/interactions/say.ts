import { randomUUID } from 'node:crypto';
import type { Core } from '../core.ts';
import { encodeTyped } from '../typed-text.ts';
import type { Message } from '../world/messages.ts';
import { directoryOf, type Workspace } from '../world/workspace.ts';
import { Impossible } from './impossible.ts';
import { type Reaction, reactionTo } from './reaction.ts';
import { richTextOf } from './rich-text.ts';
import type { Typed } from './slash.ts';

/** What came of a message: `acknowledged` is there where the app was mentioned and told of it. */
export type Said = Partial<Reaction> & { readonly ts: string; readonly note?: string };

/** Posts what somebody types. Where it mentions the app, the app is told, if it is in the channel and subscribed. */
export async function say(core: Core, workspace: Workspace, typed: Typed): Promise<Said> {
  const message = post(core, workspace, typed);
  const isMention = message.text.includes(`<@${workspace.bot.userId}>`);
  if (!isMention || typed.channel.kind === 'im') return { ts: message.ts };
  if (!typed.channel.members.has(workspace.bot.userId)) {
    return { ts: message.ts, note: 'The app is not in this channel, so Slack tells it nothing' };
  }
  const outcome = await core.events.send(workspace, {
    event: { ...message, type: 'app_mention', channel: typed.channel.id, event_ts: message.ts },
    channel: typed.channel,
  });
  if (!outcome) return { ts: message.ts, note: 'The manifest does not subscribe to app_mention' };
  return { ts: message.ts, ...reactionTo(outcome) };
}

/** Puts the app's name before a text that does not have it. */
export function mentioning(workspace: Workspace, text: string): string {
  const names = [workspace.people.get(workspace.bot.userId)].flatMap((bot) =>
    bot ? [bot.name, bot.realName] : [],
  );
  const isThere = names.some((name) => text.toLowerCase().includes(`@${name.toLowerCase()}`));
  return isThere ? text : `@${names[0]} ${text}`;
}

function post(core: Core, workspace: Workspace, { person, channel, text, threadTs }: Typed): Message {
  if (text.trim() === '') throw new Impossible('A message without text cannot be sent');
  const parent = threadTs === undefined ? undefined : workspace.messages.find(channel.id, threadTs);
  if (threadTs !== undefined && !parent)
    throw new Impossible(`There is no message ${threadTs} to reply to`, 404);
  const encoded = encodeTyped(text, directoryOf(workspace), { surface: 'message', escape: true });
  const isStranger = person.teamId !== workspace.team.id;
  return workspace.messages.post(channel.id, {
    client_msg_id: randomUUID(),
    user: person.id,
    team: person.teamId,
    text: encoded,
    blocks: [richTextOf(encoded, core.mint.label())],
    ...(parent && { thread_ts: parent.thread_ts ?? parent.ts }),
    ...(isStranger && { user_team: person.teamId, source_team: person.teamId }),
  });
}
