import type { Asker } from '../../operations/runs/run.ts';

/** Who somebody is to a workspace: `admin` owns or administers it in Slack, a `stranger` is of another organisation. */
export type Standing = 'admin' | 'member' | 'guest' | 'deleted' | 'bot' | 'stranger' | 'unknown';

export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
}

/** What a workspace says of its people. What cannot be known just now is `unknown`, and never taken for granted. */
export interface Directory {
  standingOf(asker: Asker): Promise<Standing>;
  /** Gives the members of a user group. */
  membersOf(teamId: string, groupId: string): Promise<ReadonlySet<string> | 'no such group' | 'unknown'>;
  /** Gives what people know somebody, or a user group, by; the id where that is not known. */
  nameOf(teamId: string, id: string): Promise<string>;
  /** Gives the user groups of a workspace. */
  groupsOf(teamId: string): Promise<readonly UserGroup[] | 'unknown'>;
  /** Gives who owns or administers the workspace in Slack. */
  adminsOf(teamId: string): Promise<readonly string[] | 'unknown'>;
}

/** Tells whether somebody belongs to the workspace, so that rights can be granted to them. */
export function belongs(standing: Standing): boolean {
  return standing === 'admin' || standing === 'member';
}
