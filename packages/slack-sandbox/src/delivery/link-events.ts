import type { Core } from '../core.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { Message } from '../workspace/messages/message.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Tells the app that a person has posted links to one of the domains in its manifest. */
export function sendLinksShared(core: Core, workspace: Workspace, channel: Channel, message: Message): void {
  const links = findLinks(message.text).flatMap((url) => {
    const { hostname } = new URL(url);
    const domain = core.manifest.unfurlDomains.find(
      (known) => hostname === known || hostname.endsWith(`.${known}`),
    );
    return domain === undefined ? [] : [{ url, domain }];
  });
  if (links.length === 0) return;
  void core.events.send(workspace, {
    event: {
      type: 'link_shared',
      channel: channel.id,
      is_bot_user_member: channel.members.has(workspace.bot.userId),
      user: message.user,
      message_ts: message.ts,
      ...(message.thread_ts !== undefined && { thread_ts: message.thread_ts }),
      unfurl_id: `${message.ts}.${channel.id}`,
      source: 'conversations_history',
      links,
      event_ts: core.ids.ts(),
    },
    channel,
  });
}

function findLinks(text: string): string[] {
  const links = [...text.matchAll(/<(https?:[^|>]+)(?:\|[^>]*)?>/g)];
  return [...new Set(links.flatMap(([, url]) => url?.replaceAll('&amp;', '&') ?? []))].filter((url) =>
    URL.canParse(url),
  );
}
