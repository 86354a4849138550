import type { Message } from '../../workspace/messages/message.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Returns a message's permanent link, like `chat.getPermalink` does. */
export function toPermalink(
  { team }: Workspace,
  channel: string,
  { ts, thread_ts }: Pick<Message, 'ts' | 'thread_ts'>,
): string {
  const thread = thread_ts === undefined ? '' : `?thread_ts=${thread_ts}&cid=${channel}`;
  return `https://${team.domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}${thread}`;
}

/** Describes a message as the methods that list messages of several channels do. */
export function withPermalink(workspace: Workspace, channel: string, message: Message): object {
  return { ...message, permalink: toPermalink(workspace, channel, message) };
}
