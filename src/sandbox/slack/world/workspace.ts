import type { ChangeFeed } from '../changes.ts';
import type { Clock } from '../clock.ts';
import type { Mint } from '../mint.ts';
import type { Directory } from '../typed-text.ts';
import { type Channel, publicChannel } from './channels.ts';
import { createFileStore, type FileStore } from './files.ts';
import { createMessageStore, type MessageStore } from './messages.ts';
import type { Enterprise, Person, UserGroup, WorkspaceSeed } from './seed.ts';
import type { Values } from './stateful-elements.ts';
import { createViewStore, type ViewStore } from './views.ts';

/** One workspace, with the app installed or not. */
export interface Workspace {
  readonly team: WorkspaceSeed['team'];
  readonly enterprise: Enterprise | null;
  /** What the app acts by, and by nothing else. */
  token: string;
  /** By whom the app is installed: by the workspace itself, by its organisation, or not at all. */
  installedBy: 'workspace' | 'organisation' | null;
  readonly bot: WorkspaceSeed['bot'];
  /** By id; the app's bot user is one of them. */
  readonly people: ReadonlyMap<string, Person>;
  readonly groups: readonly UserGroup[];
  readonly channels: Map<string, Channel>;
  readonly messages: MessageStore;
  readonly views: ViewStore;
  readonly files: FileStore;
  /** What people have chosen in messages, by channel, `ts` and person. */
  readonly choices: Map<string, Values>;
  tokenRevoked: boolean;
}

interface Needs {
  readonly clock: Clock;
  readonly mint: Mint;
  readonly changes: ChangeFeed;
  /** The bot user's name. */
  readonly botName: string;
}

export function createWorkspace(seed: WorkspaceSeed, { clock, mint, changes, botName }: Needs): Workspace {
  const { team, enterprise = null, token, bot } = seed;
  const botUser: Person = {
    id: bot.userId,
    teamId: team.id,
    name: botName.toLowerCase().replaceAll(/\s+/g, ''),
    realName: botName,
    role: 'bot',
    tz: 'America/Los_Angeles',
  };
  return {
    team,
    enterprise,
    token,
    installedBy: enterprise ? null : 'workspace',
    bot,
    people: new Map([...seed.people, botUser].map((person) => [person.id, person])),
    groups: seed.groups,
    channels: new Map(seed.channels.map((channel) => [channel.id, publicChannel(channel, clock.now())])),
    messages: createMessageStore(team.id, mint, changes.publish),
    views: createViewStore(team.id, mint, changes.publish),
    files: createFileStore(mint, clock),
    choices: new Map(),
    tokenRevoked: false,
  };
}

/** Looks up what people type after `@` and `#`, letter case aside. */
export function directoryOf(workspace: Workspace): Directory {
  const is = (name: string, ...known: string[]) =>
    known.some((text) => text.toLowerCase() === name.toLowerCase());
  return {
    userByName: (name) =>
      [...workspace.people.values()].find((person) => is(name, person.name, person.realName))?.id,
    channelByName: (name) =>
      [...workspace.channels.values()].find((channel) => channel.kind === 'public' && is(name, channel.name))
        ?.id,
    groupByHandle: (name) => workspace.groups.find((group) => is(name, group.handle))?.id,
  };
}
