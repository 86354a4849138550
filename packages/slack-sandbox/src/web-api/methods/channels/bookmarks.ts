import { z } from 'zod';
import type { JsonObject } from '../../../json.ts';
import type { Bookmark, Channel } from '../../../workspace/channels/channels.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nonEmptyString } from '../../arguments.ts';
import { resolveChannelById } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { SlackError } from '../../slack-error.ts';

/** From docs.slack.dev/reference/methods/bookmarks.add, `too_many_bookmarks`. */
const maxBookmarks = 100;
const link = z.string().refine((url) => URL.canParse(url), 'must be a URL');

export const bookmarksAdd = defineMethod({
  name: 'bookmarks.add',
  tier: 2,
  scopes: ['bookmarks:write'],
  args: () =>
    z.object({
      channel_id: nonEmptyString,
      title: nonEmptyString,
      type: nonEmptyString,
      link: z.string().optional(),
      emoji: z.string().optional(),
    }),
  run({ channel_id, title, type, link: url, emoji }, core, workspace) {
    const channel = resolveBookmarkChannel(workspace, channel_id);
    if (type !== 'link') throw new SlackError('invalid_bookmark_type');
    if (!link.safeParse(url).success) throw new SlackError('invalid_link');
    if (channel.bookmarks.length >= maxBookmarks) throw new SlackError('too_many_bookmarks');
    const seconds = Math.floor(core.clock.now() / 1000);
    const bookmark: Bookmark = {
      id: core.ids.id('Bk'),
      title,
      link: url ?? '',
      emoji: emoji ?? '',
      createdSeconds: seconds,
      updatedSeconds: 0,
      updatedBy: workspace.caller.userId,
    };
    channel.bookmarks.push(bookmark);
    return { bookmark: toBookmarkObject(channel, bookmark) };
  },
});

export const bookmarksEdit = defineMethod({
  name: 'bookmarks.edit',
  tier: 2,
  scopes: ['bookmarks:write'],
  args: () =>
    z.object({
      channel_id: nonEmptyString,
      bookmark_id: nonEmptyString,
      title: nonEmptyString.optional(),
      link: z.string().optional(),
      emoji: z.string().optional(),
    }),
  run({ channel_id, bookmark_id, ...changes }, core, workspace) {
    const channel = resolveBookmarkChannel(workspace, channel_id);
    const bookmark = resolveBookmark(channel, bookmark_id);
    if (changes.link !== undefined && !link.safeParse(changes.link).success) {
      throw new SlackError('invalid_link');
    }
    bookmark.title = changes.title ?? bookmark.title;
    bookmark.link = changes.link ?? bookmark.link;
    bookmark.emoji = changes.emoji ?? bookmark.emoji;
    bookmark.updatedSeconds = Math.floor(core.clock.now() / 1000);
    return { bookmark: toBookmarkObject(channel, bookmark) };
  },
});

export const bookmarksRemove = defineMethod({
  name: 'bookmarks.remove',
  tier: 2,
  scopes: ['bookmarks:write'],
  args: () => z.object({ channel_id: nonEmptyString, bookmark_id: nonEmptyString }),
  run({ channel_id, bookmark_id }, _core, workspace) {
    const channel = resolveBookmarkChannel(workspace, channel_id);
    channel.bookmarks.splice(channel.bookmarks.indexOf(resolveBookmark(channel, bookmark_id)), 1);
    return {};
  },
});

export const bookmarksList = defineMethod({
  name: 'bookmarks.list',
  tier: 3,
  scopes: ['bookmarks:read'],
  args: () => z.object({ channel_id: nonEmptyString }),
  run({ channel_id }, _core, workspace) {
    const channel = resolveChannelById(workspace, channel_id);
    if (!channel.members.has(workspace.caller.userId)) throw new SlackError('channel_not_found');
    return { bookmarks: channel.bookmarks.map((bookmark) => toBookmarkObject(channel, bookmark)) };
  },
});

/** Returns a channel whose bookmarks the app can change: it is a member. */
function resolveBookmarkChannel(workspace: Workspace, id: string): Channel {
  const channel = resolveChannelById(workspace, id);
  if (!channel.members.has(workspace.caller.userId)) throw new SlackError('permission_denied');
  return channel;
}

function resolveBookmark({ bookmarks }: Channel, id: string): Bookmark {
  const bookmark = bookmarks.find((each) => each.id === id);
  if (!bookmark) throw new SlackError('not_found');
  return bookmark;
}

function toBookmarkObject(channel: Channel, bookmark: Bookmark): JsonObject {
  return {
    id: bookmark.id,
    channel_id: channel.id,
    title: bookmark.title,
    link: bookmark.link,
    emoji: bookmark.emoji,
    icon_url: null,
    type: 'link',
    entity_id: null,
    date_created: bookmark.createdSeconds,
    date_updated: bookmark.updatedSeconds,
    rank: String(channel.bookmarks.indexOf(bookmark)),
    last_updated_by_user_id: bookmark.updatedBy,
    last_updated_by_team_id: null,
    shortcut_id: null,
    app_id: null,
  };
}
