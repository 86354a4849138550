import { RackhandError } from '../error.ts';
import type { FieldProblem } from '../operations/input.ts';

/** What came of making a plan of what a person gave: that, or every problem beside its field. */
type Planning = { readonly ok: true } | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Names that are made up before a person has to name it. */
const mostNames = 100;

/** Says what is wrong with a plan. */
export function misplanned(problems: readonly FieldProblem[]): RackhandError {
  return new RackhandError('input_invalid', `${problems.map(({ message }) => message).join('. ')}.`);
}

/** Gives what is wrong with a plan, as far as it can be told now: what cannot be read, the run itself says. */
export async function problemsOf(planning: Promise<Planning>): Promise<readonly FieldProblem[]> {
  const made = await planning.catch(() => undefined);
  return made === undefined || made.ok ? [] : made.problems;
}

/** What has a name of its own in a workspace. */
type Noun = 'report' | 'watch';

/** Says that another has the name. */
export function nameTaken(noun: Noun, name: string): RackhandError {
  const words = `There is a ${noun} called "${name}" already: choose another name.`;
  return new RackhandError('input_invalid', words);
}

/** Gives a name, with a number behind it where it is taken. Throws `input_invalid` where all of those are too. */
export function freeNameOf(noun: Noun, first: string, taken: readonly { readonly name: string }[]): string {
  const names = Array.from({ length: mostNames }, (_, index) =>
    index === 0 ? first : `${first} ${index + 1}`,
  );
  const free = names.find((name) => taken.every((one) => one.name !== name));
  if (free === undefined) throw nameTaken(noun, first);
  return free;
}
