import { type SlackApp, toBotUserName } from '../apps/app.ts';
import type { ChangeFeed } from '../change-feed.ts';
import type { Clock } from '../clock.ts';
import type { FunctionExecution } from '../functions/function-executions.ts';
import type { IdGenerator } from '../id-generator.ts';
import type { JsonObject } from '../json.ts';
import type { NameDirectory } from '../typed-text.ts';
import type { RegisteredCall } from './calls.ts';
import { type AgentSessions, createAgentSessions } from './channels/agent-sessions.ts';
import { type AssistantThreads, createAssistantThreads } from './channels/assistant-threads.ts';
import { type Channel, createChannel, isNamedChannel } from './channels/channels.ts';
import { createFileStore, type FileStore } from './files/file-store.ts';
import { createMessageStore, type MessageStore } from './messages/message-store.ts';
import { createPersonalState, type PersonalState } from './personal-state.ts';
import type { Enterprise, Person, WorkspaceSeed } from './seed.ts';
import type { StateValues } from './state-values.ts';
import type { TokenRotation } from './token-rotation.ts';
import type { UserGrant } from './user-grants.ts';
import { createUserGroup, type UserGroupState } from './user-groups.ts';
import { createViewStore, type ViewStore } from './view-store.ts';

/**
 * A workspace as one app sees it, whether the app is installed in it or not. People, channels,
 * messages and files are shared with the other apps.
 */
export interface Workspace {
  readonly app: SlackApp;
  readonly team: Team;
  /** Returns the URL of the sandbox, without a trailing slash. */
  baseUrl(): string;
  readonly enterprise: Enterprise | null;
  /** The current bot token. */
  token: string;
  /** Set if the app rotates its tokens. */
  rotation: TokenRotation | null;
  /** Whether the app was installed by the workspace, by its organization, or not at all. */
  installedBy: 'workspace' | 'organization' | null;
  readonly bot: WorkspaceSeed['bot'];
  /** The user behind a method call: the app's bot user, or a person who allowed it. */
  readonly caller: Caller;
  /** The user scopes that people have granted to the app, by user ID. */
  readonly userGrants: Map<string, UserGrant>;
  /** People by ID, including the bot users of all apps. */
  readonly people: Map<string, Person>;
  readonly groups: UserGroupState[];
  readonly channels: Map<string, Channel>;
  readonly messages: MessageStore;
  readonly views: ViewStore;
  readonly files: FileStore;
  /** Values that people chose in messages, by channel, `ts` and person. */
  readonly messageValues: Map<string, StateValues>;
  isTokenRevoked: boolean;
  readonly personal: PersonalState;
  /** Custom emoji by name: the URL of an image, or `alias:` and another name. */
  readonly customEmoji: Map<string, string>;
  /** Messages that the app has scheduled, by ID. */
  readonly scheduled: Map<string, ScheduledMessage>;
  readonly assistantThreads: AssistantThreads;
  /** Calls of other services that the app has registered, by ID. */
  readonly calls: Map<string, RegisteredCall>;
  readonly agentSessions: AgentSessions;
  /** Work objects of messages, by channel and `ts`. */
  readonly workObjects: Map<string, readonly JsonObject[]>;
  /** Work objects that people have opened, by trigger. */
  readonly openedEntities: Map<string, OpenedEntity>;
  /** Executions to which messages and views belong, by view ID, or by channel and `ts`. */
  readonly functionSurfaces: Map<string, string>;
  /** Runs of the app's functions, by ID. */
  readonly functionExecutions: Map<string, FunctionExecution>;
}

interface Caller {
  readonly userId: string;
  readonly isPerson: boolean;
  /** Set if the app calls with the token of a function. */
  readonly executionId?: string;
}

/** A workspace's own facts. Its people can change them. */
interface Team {
  readonly id: string;
  name: string;
  domain: string;
  emailDomain: string;
}

/** A work object that a person has opened, and what the app shows of it. */
interface OpenedEntity {
  readonly user: string;
  readonly entityId: string;
  details: JsonObject | undefined;
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
  baseUrl(): string;
}

interface InstalledApp {
  readonly app: SlackApp;
  /** The bot user's name. */
  readonly botName: string;
  /** The user scopes that the app asks for. */
  readonly userScopes: ReadonlySet<string>;
}

/** Creates a workspace, and returns how each app sees it. */
export function createWorkspaces(
  seed: WorkspaceSeed,
  apps: readonly InstalledApp[],
  { clock, ids, changes, baseUrl }: WorkspaceDependencies,
): readonly Workspace[] {
  const { enterprise = null } = seed;
  const team: Team = { ...seed.team, emailDomain: '' };
  const bots = apps.map(({ app, botName, userScopes }) => ({
    app,
    userScopes,
    ...createBot(seed, app, botName),
  }));
  const shared = {
    team,
    baseUrl,
    enterprise,
    people: new Map([...seed.people, ...bots.map(({ user }) => user)].map((person) => [person.id, person])),
    groups: seed.groups.map(createUserGroup),
    channels: new Map(
      seed.channels.map((channel) => {
        const kind = channel.isPrivate ? 'private' : 'public';
        const members = listInitialMembers(
          seed,
          channel,
          bots.map(({ user }) => user),
        );
        return [channel.id, createChannel({ ...channel, members, kind, createdMs: clock.now() })];
      }),
    ),
    messages: createMessageStore(team.id, ids, changes),
    files: createFileStore(ids, clock),
    messageValues: new Map(),
    calls: new Map(),
    workObjects: new Map(),
    personal: createPersonalState(),
    customEmoji: new Map<string, string>(),
  };
  return bots.map(({ app, token, user, bot, userScopes }) => ({
    ...shared,
    app,
    token,
    bot: { id: bot.id, userId: user.id },
    caller: { userId: user.id, isPerson: false },
    userGrants: createInitialGrants(seed, token, userScopes),
    rotation: null,
    installedBy: enterprise ? null : 'workspace',
    views: createViewStore(team.id, ids, changes.publish),
    isTokenRevoked: false,
    scheduled: new Map(),
    assistantThreads: createAssistantThreads(),
    agentSessions: createAgentSessions(),
    openedEntities: new Map(),
    functionSurfaces: new Map(),
    functionExecutions: new Map(),
  }));
}

/** Returns an app's bot in a workspace. The first app's bot is in the seed, and the others follow from it. */
function createBot({ team, token, bot }: WorkspaceSeed, { number, id }: SlackApp, name: string) {
  const suffix = number === 1 ? '' : String(number);
  const botFacts = { id: `${bot.id}${suffix}`, appId: id };
  const user: Person = {
    id: `${bot.userId}${suffix}`,
    teamId: team.id,
    name: toBotUserName(name),
    realName: name,
    role: 'bot',
    tz: 'America/Los_Angeles',
    bot: botFacts,
  };
  return { user, bot: botFacts, token: number === 1 ? token : `${token}-${number}` };
}

/** Returns the grant of the first owner, who has installed the app in the workspace from the start. */
function createInitialGrants(
  { people, enterprise }: WorkspaceSeed,
  botToken: string,
  scopes: ReadonlySet<string>,
): Map<string, UserGrant> {
  const installer = people.find(({ role }) => role === 'owner');
  if (!installer || enterprise || scopes.size === 0) return new Map();
  const grant = { userId: installer.id, scopes, token: botToken.replace('xoxb-', 'xoxp-') };
  return new Map([
    [
      installer.id,
      { ...grant, expiresMs: Number.POSITIVE_INFINITY, refreshToken: undefined, isRevoked: false },
    ],
  ]);
}

function listInitialMembers(
  { bot }: WorkspaceSeed,
  { members, apps }: WorkspaceSeed['channels'][number],
  botUsers: readonly Person[],
): readonly string[] {
  const hasAll = apps === undefined && members.includes(bot.userId);
  const present = botUsers.filter(({ name }) => hasAll || apps?.includes(name));
  return [...members.filter((id) => id !== bot.userId), ...present.map(({ id }) => id)];
}

/** Creates a directory that finds names typed after `@` and `#`, in any case. */
export function createNameDirectory(workspace: Workspace): NameDirectory {
  const is = (name: string, ...known: string[]) =>
    known.some((text) => text.toLowerCase() === name.toLowerCase());
  return {
    fullNames: (text) => {
      const typed = text.toLowerCase();
      return [...workspace.people.values()]
        .map(({ realName }) => realName)
        .filter((name) => /[^\p{L}\p{N}._-]/u.test(name) && typed.includes(`@${name.toLowerCase()}`));
    },
    userByName: (name) =>
      [...workspace.people.values()].find((person) => is(name, person.name, person.realName))?.id,
    channelByName: (name) =>
      [...workspace.channels.values()].find((channel) => isNamedChannel(channel) && is(name, channel.name))
        ?.id,
    groupByHandle: (name) =>
      workspace.groups.find((group) => !group.disabledSeconds && is(name, group.handle))?.id,
  };
}
