import { RackhandError } from '../errors.ts';
import type { FieldProblem } from '../operations/define/arguments/raw-input.ts';

/** A valid plan, or its problems by field. */
export type PlanResult<Planned> =
  | { readonly kind: 'valid'; readonly planned: Planned }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

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

/**
 * Moves a problem with the name to the field of the new name, because the field `name` selects the
 * plan.
 */
export function toRenameProblem({ path, message }: FieldProblem): FieldProblem {
  return { path: path === 'name' ? 'rename' : path, message };
}
