import type { Right } from '../../operations/right.ts';
import { belongs, type Directory, type Standing } from './directory.ts';
import { everyone, kindOf } from './grantee.ts';
import { everything } from './pattern.ts';
import type { Granting } from './rights-store.ts';

/** What is wrong with a grant, by the argument that it is wrong with. */
export interface GrantProblem {
  readonly path: 'who' | 'right' | 'vps';
  /** Whom it is about, where it is about somebody. */
  readonly grantee?: string;
  readonly message: string;
}

/** Finds out what is wrong with a grant: a right is for people who can use it, and for groups that there are. */
export async function checkGrant(
  teamId: string,
  { grantees, right, patterns }: Granting,
  directory: Directory,
): Promise<readonly GrantProblem[]> {
  const about = await Promise.all(grantees.map((id) => checkGrantee(teamId, id, directory)));
  return [...about.flatMap((problem) => problem ?? []), ...checkScope(grantees, right, patterns)];
}

async function checkGrantee(
  teamId: string,
  id: string,
  directory: Directory,
): Promise<GrantProblem | undefined> {
  const problem = (message: string): GrantProblem => ({ path: 'who', grantee: id, message });
  const name = `@${await directory.nameOf(teamId, id)}`;
  if (kindOf(id) === 'person') {
    const standing = await directory.standingOf({ teamId, userId: id });
    return belongs(standing) ? undefined : problem(`${name} ${whyNot[standing] ?? whyNot.unknown}`);
  }
  if (kindOf(id) !== 'group') return undefined;
  const members = await directory.membersOf(teamId, id);
  if (members === 'no such group') return problem(`There is no user group ${id} here`);
  if (members === 'unknown') return problem(`${name} is not known to Slack just now: try again in a minute`);
  return undefined;
}

const whyNot: Partial<Record<Standing, string>> & { readonly unknown: string } = {
  deleted: 'has no account here any more',
  guest: 'is a guest here, and guests cannot use Rackhand',
  bot: 'is an app',
  stranger: 'is not of this workspace',
  unknown: 'is not known to Slack just now: try again in a minute',
};

function checkScope(
  grantees: readonly string[],
  right: Right,
  patterns: readonly string[],
): readonly GrantProblem[] {
  if (right !== 'administer') return [];
  if (!patterns.includes(everything)) {
    return [{ path: 'vps', message: 'Administering is for everything: leave the VPS out' }];
  }
  return grantees.includes(everyone)
    ? [{ path: 'right', message: 'Not everybody can administer: name who is to' }]
    : [];
}
