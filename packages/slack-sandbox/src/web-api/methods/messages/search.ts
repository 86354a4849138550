import { z } from 'zod';
import type { Core } from '../../../core.ts';
import type { JsonObject } from '../../../json.ts';
import { canRead } from '../../../workspace/channels/channel-lookup.ts';
import type { Channel } from '../../../workspace/channels/channels.ts';
import type { StoredFile } from '../../../workspace/files/file-store.ts';
import type { Message } from '../../../workspace/messages/message.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { flag, integer } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { toFileObject } from '../../objects/file-object.ts';
import { SlackError } from '../../slack-error.ts';

const facts = {
  tier: 2,
  scopes: ['search:read'],
  callers: 'people',
  acceptsJson: false,
  args: () =>
    z.object({
      query: z.string().default(''),
      count: integer.min(1).max(100).default(20),
      page: integer.min(1).max(100).default(1),
      highlight: flag.optional(),
      sort: z.string().optional(),
      sort_dir: z.enum(['asc', 'desc']).default('desc'),
    }),
} as const;

type SearchArguments = z.output<ReturnType<(typeof facts)['args']>>;

export const searchMessages = defineMethod({
  ...facts,
  name: 'search.messages',
  run: (args, _core, workspace) => ({ query: args.query, messages: findMessages(workspace, args) }),
});

export const searchFiles = defineMethod({
  ...facts,
  name: 'search.files',
  run: (args, core, workspace) => ({ query: args.query, files: findFiles(core, workspace, args) }),
});

export const searchAll = defineMethod({
  ...facts,
  name: 'search.all',
  run: (args, core, workspace) => ({
    query: args.query,
    messages: findMessages(workspace, args),
    files: findFiles(core, workspace, args),
    posts: { total: 0, matches: [] },
  }),
});

/** A parsed query: words, and the modifiers `from:` and `in:`. */
interface Query {
  readonly words: readonly string[];
  readonly from: string | undefined;
  readonly channel: string | undefined;
}

function parseQuery(text: string): Query {
  if (text.trim() === '') throw new SlackError('no_query');
  const parts = text.toLowerCase().match(/"[^"]*"|\S+/g) ?? [];
  const modifier = (name: string) =>
    parts
      .find((part) => part.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .replace(/^[@#<]+|>$/g, '');
  return {
    words: parts.filter((part) => !/^(from|in):/.test(part)).map((part) => part.replaceAll('"', '')),
    from: modifier('from'),
    channel: modifier('in'),
  };
}

function findMessages(workspace: Workspace, args: SearchArguments): JsonObject {
  const { words, from, channel: place } = parseQuery(args.query);
  const { people, caller, messages } = workspace;
  const isWanted = ({ id, name }: Channel) => [undefined, name, id.toLowerCase()].includes(place);
  const isAuthor = ({ user }: Message) =>
    [undefined, people.get(user)?.name, user.toLowerCase()].includes(
      from === 'me' ? people.get(caller.userId)?.name : from,
    );
  const matches = [...workspace.channels.values()]
    .filter((channel) => isWanted(channel) && canRead(workspace, channel, caller.userId))
    .flatMap((channel) =>
      messages
        .list(channel.id)
        .filter((message) => isAuthor(message) && hasWords(message.text, words))
        .map((message) => toMatch(workspace, channel, message)),
    )
    .sort((a, b) => Number(b.ts) - Number(a.ts));
  return toResult(args.sort_dir === 'asc' ? matches.reverse() : matches, args);
}

function findFiles(core: Core, workspace: Workspace, args: SearchArguments): JsonObject {
  const { words } = parseQuery(args.query);
  const isReadable = ({ shares }: StoredFile) =>
    shares.some(({ channel: id }) => {
      const channel = workspace.channels.get(id);
      return channel !== undefined && canRead(workspace, channel, workspace.caller.userId);
    });
  const found = workspace.files
    .list()
    .filter((file) => !file.isDeleted && isReadable(file) && hasWords(`${file.name} ${file.title}`, words))
    .map((file) => toFileObject(core, workspace, file));
  return toResult(found, args);
}

const hasWords = (text: string, words: readonly string[]) =>
  words.every((word) => text.toLowerCase().includes(word));

function toMatch({ team, people }: Workspace, { id, name, kind }: Channel, message: Message) {
  const { ts, text, user, blocks } = message;
  return {
    iid: message.client_msg_id ?? ts,
    team: team.id,
    score: 0,
    channel: { id, name, is_private: kind !== 'public', is_mpim: kind === 'mpim', is_ext_shared: false },
    type: 'message',
    user,
    username: people.get(user)?.name ?? '',
    ts,
    text,
    ...(blocks && { blocks }),
    permalink: `https://${team.domain}.slack.com/archives/${id}/p${ts.replace('.', '')}`,
  };
}

function toResult(all: readonly JsonObject[], { count, page }: SearchArguments): JsonObject {
  const pages = Math.ceil(all.length / count);
  const first = (page - 1) * count;
  const matches = all.slice(first, first + count);
  return {
    total: all.length,
    pagination: {
      total_count: all.length,
      page,
      per_page: count,
      page_count: pages,
      first: first + 1,
      last: first + matches.length,
    },
    paging: { count, total: all.length, page, pages },
    matches,
  };
}
