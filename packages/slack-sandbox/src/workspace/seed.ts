import type { JsonObject } from '../json.ts';

/**
 * A person's role in the workspace. A `stranger` belongs to another organization. The sandbox still
 * delivers the actions of a `deactivated` person, as Slack does for those that were under way.
 */
type Role = 'owner' | 'member' | 'guest' | 'stranger' | 'deactivated' | 'bot';

export interface Person {
  readonly id: string;
  /** The person's own workspace. For a stranger, it is another one. */
  readonly teamId: string;
  readonly name: string;
  readonly realName: string;
  readonly role: Role;
  /** IANA time zone. */
  readonly tz: string;
  /** Defaults to one derived from the name. */
  readonly email?: string;
  /** Fields of the profile that were changed, as Slack names them. */
  readonly profile?: JsonObject;
  /** Set if this is the bot user of an app. */
  readonly bot?: { readonly id: string; readonly appId: string };
}

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
}

interface ChannelSeed {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
  /** Names of the apps that are members. If left out, all of them are if the first one is. */
  readonly apps?: readonly string[];
  readonly isGeneral?: boolean;
  readonly isPrivate?: boolean;
  readonly topic?: string;
  readonly purpose?: string;
  /** Other organizations that share the channel. */
  readonly sharedWith?: readonly string[];
}

/** An organization with several workspaces. */
export interface Enterprise {
  readonly id: string;
  readonly name: string;
}

export interface WorkspaceSeed {
  readonly team: { readonly id: string; readonly name: string; readonly domain: string };
  /**
   * The organization to which the workspace belongs. The app is added only when it is installed for
   * the organization.
   */
  readonly enterprise?: Enterprise;
  /** The first app's bot token, if it is installed from the start. */
  readonly token: string;
  /** The first app's bot. */
  readonly bot: { readonly id: string; readonly userId: string };
  readonly people: readonly Person[];
  readonly channels: readonly ChannelSeed[];
  readonly groups: readonly UserGroup[];
}

const acme = 'T0ACME';
const globex = 'T0GLOBEX';
const initech = 'T0INITECH';
const initrode = 'T0INITRODE';
const initechGroup: Enterprise = { id: 'E0INITECH', name: 'Initech Group' };
const initechBot = { id: 'B0INITECH', userId: 'U0APPINITECH' };

/** The initial workspaces. A reset restores them. */
export const workspaceSeeds: readonly WorkspaceSeed[] = [
  {
    team: { id: acme, name: 'Acme', domain: 'acme' },
    token: 'xoxb-sandbox-acme',
    bot: { id: 'B0ACME', userId: 'U0APPACME' },
    people: [
      {
        id: 'U0ALICE',
        teamId: acme,
        name: 'alice',
        realName: 'Alice Adams',
        role: 'owner',
        tz: 'Europe/Berlin',
      },
      {
        id: 'U0BOB',
        teamId: acme,
        name: 'bob',
        realName: 'Bob Brown',
        role: 'member',
        tz: 'America/New_York',
      },
      {
        id: 'U0CAROL',
        teamId: acme,
        name: 'carol',
        realName: 'Carol Chen',
        role: 'member',
        tz: 'Asia/Tokyo',
      },
      {
        id: 'U0DAVE',
        teamId: acme,
        name: 'dave',
        realName: 'Dave Dunn',
        role: 'guest',
        tz: 'Europe/London',
      },
      {
        id: 'U0ERIN',
        teamId: initech,
        name: 'erin',
        realName: 'Erin Eze',
        role: 'stranger',
        tz: 'Australia/Sydney',
      },
    ],
    channels: [
      {
        id: 'C0OPS',
        name: 'ops',
        members: ['U0ALICE', 'U0BOB', 'U0CAROL', 'U0DAVE', 'U0ERIN', 'U0APPACME'],
        sharedWith: [initech],
      },
      {
        id: 'C0GENERAL',
        name: 'general',
        members: ['U0ALICE', 'U0BOB', 'U0CAROL', 'U0DAVE', 'U0APPACME'],
        isGeneral: true,
      },
      {
        id: 'C0RANDOM',
        name: 'random',
        members: ['U0ALICE', 'U0BOB', 'U0CAROL', 'U0DAVE', 'U0APPACME'],
      },
      { id: 'C0QUIET', name: 'quiet', members: ['U0ALICE', 'U0BOB', 'U0CAROL'] },
    ],
    groups: [
      { id: 'S0ONCALL', handle: 'on-call', name: 'On call', users: ['U0ALICE', 'U0BOB'] },
      { id: 'S0RELEASE', handle: 'release', name: 'Release managers', users: ['U0CAROL'] },
    ],
  },
  {
    team: { id: globex, name: 'Globex', domain: 'globex' },
    token: 'xoxb-sandbox-globex',
    bot: { id: 'B0GLOBEX', userId: 'U0APPGLOBEX' },
    people: [
      {
        id: 'U0GWEN',
        teamId: globex,
        name: 'gwen',
        realName: 'Gwen Gray',
        role: 'owner',
        tz: 'America/Los_Angeles',
      },
    ],
    channels: [{ id: 'C0GLOBEX', name: 'globex', members: ['U0GWEN', 'U0APPGLOBEX'], isGeneral: true }],
    groups: [],
  },
  {
    team: { id: initech, name: 'Initech', domain: 'initech' },
    enterprise: initechGroup,
    token: 'xoxb-sandbox-initech',
    bot: initechBot,
    people: [
      {
        id: 'U0ERIN',
        teamId: initech,
        name: 'erin',
        realName: 'Erin Eze',
        role: 'owner',
        tz: 'Australia/Sydney',
      },
    ],
    channels: [{ id: 'C0INITECH', name: 'initech', members: ['U0ERIN', 'U0APPINITECH'], isGeneral: true }],
    groups: [],
  },
  {
    team: { id: initrode, name: 'Initrode', domain: 'initrode' },
    enterprise: initechGroup,
    token: 'xoxb-sandbox-initrode',
    bot: initechBot,
    people: [
      {
        id: 'U0FRED',
        teamId: initrode,
        name: 'fred',
        realName: 'Fred Fox',
        role: 'owner',
        tz: 'Europe/Paris',
      },
    ],
    channels: [{ id: 'C0INITRODE', name: 'initrode', members: ['U0FRED', 'U0APPINITECH'], isGeneral: true }],
    groups: [],
  },
];
