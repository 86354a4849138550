import type { Actor } from '../operations/define/access/actor.ts';

/** The type of a Slack user: `admin` is a workspace owner or admin, `external` belongs to another organization. */
export type MemberType = 'admin' | 'member' | 'guest' | 'deleted' | 'bot' | 'external' | 'unknown';

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

/** The result of a lookup in Slack. `unknown` means that the lookup failed, so callers must deny access. */
export type Lookup<Value> = { readonly kind: 'found'; readonly value: Value } | { readonly kind: 'unknown' };

/** The IDs of a user group's members. `notFound` means that Slack doesn't know the user group. */
export type GroupLookup = Lookup<ReadonlySet<string>> | { readonly kind: 'notFound' };

export interface MemberDirectory {
  /** Returns the type of a person. The answer is at most a minute old or, with `mustBeRecent`, at most 5 s. */
  findMemberType(actor: Actor, options?: { readonly mustBeRecent?: boolean }): Promise<MemberType>;
  listGroupMembers(teamId: string, groupId: string): Promise<GroupLookup>;
  /** Returns the display name of a person or user group, or the ID if the name is unknown. */
  findDisplayName(teamId: string, id: string): Promise<string>;
  /** Returns the people who aren't guests, bots or deactivated users. */
  listMembers(teamId: string): Promise<Lookup<readonly Person[]>>;
  listUserGroups(teamId: string): Promise<Lookup<readonly UserGroup[]>>;
  /** Returns the owners and admins of the Slack workspace. */
  listAdmins(teamId: string): Promise<Lookup<readonly string[]>>;
}

/** Returns whether rights can be granted to a person of this type. */
export function isMember(memberType: MemberType): boolean {
  return memberType === 'admin' || memberType === 'member';
}
