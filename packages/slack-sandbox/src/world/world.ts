import type { AppDescription } from '../apps/app-description.ts';

/** A person of a workspace. */
export interface PersonDescription {
  /** The name by which people mention them, such as `alice`. */
  readonly name: string;
  /** Defaults to the name. */
  readonly real_name?: string | undefined;
  /** Defaults to `member`. */
  readonly role?: 'owner' | 'member' | 'guest' | undefined;
  /** Defaults to an address derived from the name. */
  readonly email?: string | undefined;
  /** IANA time zone. Defaults to Europe/London. */
  readonly tz?: string | undefined;
}

export interface ChannelDescription {
  readonly name: string;
  /** Names of people and apps, and `app` for all apps. Defaults to everyone and all apps. */
  readonly members?: readonly string[] | undefined;
  readonly private?: boolean | undefined;
  readonly topic?: string | undefined;
  readonly purpose?: string | undefined;
}

export interface GroupDescription {
  /** The name that people mention, such as `on-call`. */
  readonly handle: string;
  /** Defaults to the handle. */
  readonly name?: string | undefined;
  /** Names of people. */
  readonly members?: readonly string[] | undefined;
}

export interface WorkspaceDescription {
  readonly name: string;
  /** Defaults to one derived from the name. */
  readonly domain?: string | undefined;
  /** The bot token. Defaults to one in Slack's format, derived from the name. */
  readonly token?: string | undefined;
  readonly people: readonly PersonDescription[];
  readonly channels: readonly ChannelDescription[];
  readonly groups?: readonly GroupDescription[] | undefined;
}

interface Apps {
  /** The apps, if the sandbox's `manifest` doesn't name them. */
  readonly apps?: readonly AppDescription[] | undefined;
}

/** The workspaces of a sandbox: several, or the fields of a single one. */
export type World = Apps & (WorkspaceDescription | { readonly workspaces: readonly WorkspaceDescription[] });
