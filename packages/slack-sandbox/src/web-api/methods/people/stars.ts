import { z } from 'zod';
import type { Core } from '../../../core.ts';
import type { JsonObject } from '../../../json.ts';
import type { Star } from '../../../workspace/personal-state.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { integer, nonEmptyString, paging } from '../../arguments.ts';
import { resolveChannelById, resolveMessage } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { toFileObject } from '../../objects/file-object.ts';
import { withPermalink } from '../../objects/permalink.ts';
import { SlackError } from '../../slack-error.ts';

const target = {
  channel: nonEmptyString.optional(),
  timestamp: nonEmptyString.optional(),
  file: nonEmptyString.optional(),
};

export const starsAdd = defineMethod({
  name: 'stars.add',
  tier: 2,
  scopes: ['stars:write'],
  callers: 'people',
  args: () => z.object(target),
  run(args, core, workspace) {
    const item = resolveItem(workspace, args);
    if (findStar(workspace, item)) throw new SlackError('already_starred');
    const star: Star = {
      user: workspace.caller.userId,
      createdSeconds: Math.floor(core.clock.now() / 1000),
      item,
    };
    workspace.personal.stars = [...workspace.personal.stars, star];
    sendStarEvent(core, workspace, star, 'star_added');
    return {};
  },
});

export const starsRemove = defineMethod({
  name: 'stars.remove',
  tier: 2,
  scopes: ['stars:write'],
  callers: 'people',
  args: () => z.object(target),
  run(args, core, workspace) {
    const star = findStar(workspace, resolveItem(workspace, args));
    if (!star) throw new SlackError('not_starred');
    workspace.personal.stars = workspace.personal.stars.filter((other) => other !== star);
    sendStarEvent(core, workspace, star, 'star_removed');
    return {};
  },
});

export const starsList = defineMethod({
  name: 'stars.list',
  tier: 3,
  scopes: ['stars:read'],
  callers: 'people',
  acceptsJson: false,
  args: () => z.object({ ...paging, count: integer.optional(), page: integer.optional() }),
  run({ count = 100, page = 1 }, core, workspace) {
    const { stars } = workspace.personal;
    const own = stars.filter(({ user }) => user === workspace.caller.userId).toReversed();
    const items = own.slice((page - 1) * count, page * count);
    return {
      items: items.map((star) => toStarObject(core, workspace, star)),
      paging: { per_page: count, spill: 0, page, total: own.length, pages: Math.ceil(own.length / count) },
    };
  },
});

function findStar({ personal, caller }: Workspace, item: Star['item']): Star | undefined {
  const searched = JSON.stringify(item);
  return personal.stars.find((star) => star.user === caller.userId && JSON.stringify(star.item) === searched);
}

interface ItemArguments {
  readonly channel?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly file?: string | undefined;
}

function resolveItem(workspace: Workspace, { channel: id, timestamp, file }: ItemArguments): Star['item'] {
  if (file !== undefined) {
    const stored = workspace.files.findById(file);
    if (!stored || stored.isDeleted) throw new SlackError('file_not_found');
    return { type: 'file', file };
  }
  if (id === undefined || timestamp === undefined) throw new SlackError('no_item_specified');
  const channel = resolveChannelById(workspace, id);
  return { type: 'message', channel: id, ts: resolveMessage(workspace, channel, timestamp).ts };
}

function toStarObject(core: Core, workspace: Workspace, { item, createdSeconds }: Star): JsonObject {
  if (item.type === 'message') {
    const found = workspace.messages.find(item.channel, item.ts);
    const message = found && withPermalink(workspace, item.channel, found);
    return { type: 'message', channel: item.channel, message, date_create: createdSeconds };
  }
  const file = workspace.files.findById(item.file);
  return {
    type: 'file',
    file: file && toFileObject(core, workspace, file),
    date_create: createdSeconds,
  };
}

function sendStarEvent(
  core: Core,
  workspace: Workspace,
  star: Star,
  type: 'star_added' | 'star_removed',
): void {
  core.events.announceToPerson(workspace, star.user, {
    event: { type, user: star.user, item: toStarObject(core, workspace, star), event_ts: core.ids.ts() },
  });
}
