import type { CheckAccess } from '../access/access.ts';
import type { Actor } from '../access/actor.ts';
import type { NextStep } from '../outcome.ts';
import type { Read } from '../read.ts';

export interface Choice {
  /** The ID that a call uses. */
  readonly value: string;
  /** The display name, which can be untrusted text of any length. */
  readonly text: string;
  /** The name that the team gave the item. It takes precedence over the service's names. */
  readonly ownAlias?: string;
  /** Other names, such as a hostname, an address or a name without its prefix. */
  readonly aliases?: readonly string[];
  /** Shortened names. A full name takes precedence over them. */
  readonly shortAliases?: readonly string[];
  /** IP addresses in their canonical form. Only an ID and the team's alias take precedence over them. */
  readonly addresses?: readonly string[];
  /** The state, as the service names it. */
  readonly state?: string;
  /** Details that distinguish the item from others, such as an address or size. */
  readonly hint?: string;
  /** The details that people can search by, if they differ from the hint. */
  readonly details?: string;
}

/** The workspace whose choices are loaded. */
export interface ChoiceWorkspace {
  readonly teamId: string;
  /** Returns the team's aliases, by VPS name. */
  readonly listVpsAliases: () => Promise<ReadonlyMap<string, string>>;
  /** The person who chooses. Choices that this person isn't allowed to see are left out. */
  readonly viewer?: Viewer;
}

/** A person, and the rights they have where they made the request. */
export interface Viewer {
  readonly actor: Actor;
  readonly loadAccess: () => Promise<CheckAccess>;
}

export interface ChoiceList {
  readonly choices: readonly Choice[];
  /** Whether the list is known to be complete. */
  readonly isComplete: boolean;
}

/** Provides the choices of an argument. */
export interface ChoiceSource {
  readonly name: string;
  /** The noun with its article: "a snapshot". */
  readonly noun: string;
  /** Set if the choices are Rackhand's own data. A name that isn't in the list then doesn't exist. */
  readonly isOwnData?: true;
  /** Set if the values are VPS names, to which rights apply. */
  readonly listsVps?: true;
  /** Set if the values are opaque IDs. People see the display name instead. */
  readonly hasOpaqueIds?: true;
  /** The argument on which the choices depend, such as the VPS for its snapshots. */
  readonly dependsOn?: string;
  /** Returns the button that lists the choices. */
  listStep?(given: Readonly<Record<string, unknown>>): NextStep;
  /** Formats the message for a name that isn't in the list but may still exist at the service. */
  formatNotFound(name: string, given: Readonly<Record<string, unknown>>): string;
  /**
   * Loads the choices. `given` are the values of the other arguments, and `maxAgeMs` is the maximum age of
   * a cached response. `workspace` is needed for the team's own names, and for choices from Rackhand's own
   * data.
   */
  load(
    read: Read,
    given: Readonly<Record<string, unknown>>,
    maxAgeMs: number,
    workspace?: ChoiceWorkspace,
  ): Promise<ChoiceList>;
}

/** Maximum age (ms) of cached choices. A name that isn't in the cached list is looked up in a fresh one. */
export const maxChoicesAgeMs = 60_000;
