import type { ResolveAccess } from '../../operations/define/access/access.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import type { ParsedInput } from '../../operations/define/arguments/input.ts';
import type { Operation } from '../../operations/define/operation.ts';
import { toVpsLabels } from '../../operations/format/label-vps.ts';
import { deniedProblem, type Problem } from '../problem.ts';
import type { Run } from '../run.ts';
import { labelProblem } from './names/label-shown-vps.ts';

/** The person and the place of a request. Rights can depend on both. */
export type AccessSubject = Pick<Run, 'actor' | 'origin' | 'displayNames'>;

/** Returns why a person isn't allowed to run an operation, or undefined. The input can be incomplete. */
export type FindDenial = (
  by: AccessSubject,
  operation: Operation,
  parsed: ParsedInput,
) => Promise<Problem | undefined>;

export async function findDenial(
  resolveAccess: ResolveAccess,
  { actor, origin, displayNames }: AccessSubject,
  operation: Operation,
  parsed: ParsedInput,
): Promise<Problem | undefined> {
  const required = findRequiredAccess(operation, parsed);
  const denial = required && (await resolveAccess(actor, origin))(required);
  return denial && labelProblem(deniedProblem(denial), toVpsLabels(displayNames));
}
