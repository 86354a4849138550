import type { ChangeFeed } from '../change-feed.ts';
import type { Clock } from '../clock.ts';
import type { FunctionExecution } from '../functions/function-executions.ts';
import type { IdGenerator } from '../id-generator.ts';
import type { NameDirectory } from '../typed-text.ts';
import type { RegisteredCall } from './calls.ts';
import { type AssistantThreads, createAssistantThreads } from './channels/assistant-threads.ts';
import { type Channel, createChannel, isNamedChannel } from './channels/channels.ts';
import { createFileStore, type FileStore } from './files/file-store.ts';
import { createMessageStore, type MessageStore } from './messages/message-store.ts';
import type { Enterprise, Person, WorkspaceSeed } from './seed.ts';
import type { StateValues } from './state-values.ts';
import type { TokenRotation } from './token-rotation.ts';
import { createUserGroup, type UserGroupState } from './user-groups.ts';
import { createViewStore, type ViewStore } from './view-store.ts';

/** A workspace, whether the app is installed in it or not. */
export interface Workspace {
  readonly team: WorkspaceSeed['team'];
  readonly enterprise: Enterprise | null;
  /** The current bot token. */
  token: string;
  /** Set if the app rotates its tokens. */
  rotation: TokenRotation | null;
  /** Whether the app was installed by the workspace, by its organization, or not at all. */
  installedBy: 'workspace' | 'organization' | null;
  readonly bot: WorkspaceSeed['bot'];
  /** People by ID, including the app's bot user. */
  readonly people: Map<string, Person>;
  readonly groups: UserGroupState[];
  readonly channels: Map<string, Channel>;
  readonly messages: MessageStore;
  readonly views: ViewStore;
  readonly files: FileStore;
  /** Values that people chose in messages, by channel, `ts` and person. */
  readonly messageValues: Map<string, StateValues>;
  isTokenRevoked: boolean;
  /** Whether the app has set its presence to `away`. */
  isBotAway: boolean;
  /** Messages that the app has scheduled, by ID. */
  readonly scheduled: Map<string, ScheduledMessage>;
  readonly assistantThreads: AssistantThreads;
  /** Calls of other services that the app has registered, by ID. */
  readonly calls: Map<string, RegisteredCall>;
  /** Runs of the app's functions, by ID. */
  readonly functionExecutions: Map<string, FunctionExecution>;
}

interface ScheduledMessage {
  readonly channel: string;
  readonly postAtSeconds: number;
  readonly createdSeconds: number;
  readonly text: string;
  cancel(): void;
}

interface WorkspaceDependencies {
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly changes: ChangeFeed;
  /** The bot user's name. */
  readonly botName: string;
}

export function createWorkspace(
  seed: WorkspaceSeed,
  { clock, ids, changes, botName }: WorkspaceDependencies,
): Workspace {
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
    rotation: null,
    installedBy: enterprise ? null : 'workspace',
    bot,
    people: new Map([...seed.people, botUser].map((person) => [person.id, person])),
    groups: seed.groups.map(createUserGroup),
    channels: new Map(
      seed.channels.map((channel) => {
        const kind = channel.isPrivate ? 'private' : 'public';
        return [channel.id, createChannel({ ...channel, kind, createdMs: clock.now() })];
      }),
    ),
    messages: createMessageStore(team.id, ids, changes),
    views: createViewStore(team.id, ids, changes.publish),
    files: createFileStore(ids, clock),
    messageValues: new Map(),
    isTokenRevoked: false,
    isBotAway: false,
    scheduled: new Map(),
    assistantThreads: createAssistantThreads(),
    functionExecutions: new Map(),
    calls: new Map(),
  };
}

/** Creates a directory that finds names typed after `@` and `#`, in any case. */
export function createNameDirectory(workspace: Workspace): NameDirectory {
  const is = (name: string, ...known: string[]) =>
    known.some((text) => text.toLowerCase() === name.toLowerCase());
  return {
    userByName: (name) =>
      [...workspace.people.values()].find((person) => is(name, person.name, person.realName))?.id,
    channelByName: (name) =>
      [...workspace.channels.values()].find((channel) => isNamedChannel(channel) && is(name, channel.name))
        ?.id,
    groupByHandle: (name) =>
      workspace.groups.find((group) => !group.disabledSeconds && is(name, group.handle))?.id,
  };
}
