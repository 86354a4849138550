import { RackhandError } from '../errors.ts';
import type { FieldProblem } from '../operations/define/arguments/raw-input.ts';
import { type PlanKindName, planWords } from './plan-words.ts';

/** A valid plan, or its problems by field. */
export type PlanResult<Planned> =
  | { readonly kind: 'valid'; readonly planned: Planned }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

/** How many numbers are tried to make a default name unique. */
const maxNameSuffix = 100;

/** Returns an error that lists the problems of a plan. */
export function invalidPlanError(problems: readonly FieldProblem[]): RackhandError {
  return new RackhandError('input_invalid', `${problems.map(({ message }) => message).join('. ')}.`);
}

/**
 * Returns the problems of a plan that are known before the run. If a read fails, returns none, and
 * the run has to find them.
 */
export async function planProblems(planning: Promise<PlanResult<unknown>>): Promise<readonly FieldProblem[]> {
  const made = await planning.catch(() => undefined);
  return made?.kind === 'invalid' ? made.problems : [];
}

export function nameTakenError(kind: PlanKindName, name: string): RackhandError {
  const words = `There is already a ${planWords[kind].noun} named "${name}". Choose another name.`;
  return new RackhandError('input_invalid', words);
}

/**
 * Returns a name, with a number appended if it is taken. Throws `input_invalid` if all numbers are
 * taken too.
 */
export function uniqueName(
  kind: PlanKindName,
  first: string,
  taken: readonly { readonly name: string }[],
): string {
  const names = Array.from({ length: maxNameSuffix }, (_, index) =>
    index === 0 ? first : `${first} ${index + 1}`,
  );
  const free = names.find((name) => taken.every((one) => one.name !== name));
  if (free === undefined) throw nameTakenError(kind, first);
  return free;
}

/**
 * Moves a problem with the name to the field of the new name, because the field `name` selects the
 * plan.
 */
export function toRenameProblem({ path, message }: FieldProblem): FieldProblem {
  return { path: path === 'name' ? 'rename' : path, message };
}
