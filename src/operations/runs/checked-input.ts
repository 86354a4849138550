import { RackhandError } from '../../error.ts';
import { type FieldProblem, parseInput } from '../input.ts';
import type { Called, Operation, OperationContext } from '../operation.ts';
import type { RawInput } from '../outcome.ts';
import { type RemotePlace, remotePlaces, valueAt, withValueAt } from '../raw-place.ts';
import { findChoice, findClosest } from '../sources/find-choice.ts';
import { fleet } from '../sources/fleet.ts';
import type { Choice } from '../sources/source.ts';
import { maySee } from './access.ts';
import { explain, type Problem } from './problem.ts';

type Input = Readonly<Record<string, unknown>>;

export type CheckedInput =
  /** `raw` names everything by its identifier, whatever a person has called it. */
  | { readonly ok: true; readonly input: Input; readonly raw: RawInput; readonly called?: Called }
  | {
      readonly ok: false;
      readonly problem: Problem;
      /** The same beside the fields that it is about, where it is the operation's own check that found it. */
      readonly beside?: readonly FieldProblem[];
    };

/** What is wrong with an input, and the name in it that is, if that is it. */
interface Wrong {
  readonly what: string;
  readonly place?: RemotePlace;
  readonly written?: string;
}

/**
 * Checks an input whole: first what it says, then that what it names exists, which is then named by its identifier. Offers the nearest
 * name for one that does not.
 */
export async function checkInput(
  operation: Operation,
  raw: RawInput,
  context: OperationContext,
): Promise<CheckedInput> {
  const parsed = parseInput(operation, raw);
  if (!parsed.ok) return refuse(operation, raw, malformed(operation, raw, parsed.problems), context);
  let { input } = parsed;
  let named = raw;
  const called: Record<string, string> = {};
  for (const place of remotePlaces(operation, raw)) {
    const name = inputAt(input, place.path);
    if (name === undefined) continue;
    const found = await findChoice(place.source, name, input, context.read, context.asker.teamId);
    if (found.kind === 'unknown') {
      const wrong = { what: place.source.unknown(name, input), written: name, place };
      return refuse(operation, named, wrong, context);
    }
    if (found.kind === 'known' && place.source.isById) called[place.path] = found.choice.text;
    if (found.kind === 'unsure' || found.choice.value === valueAt(operation, named, place.path)) continue;
    named = withValueAt(operation, named, place.path, found.choice.value);
    const again = parseInput(operation, named);
    if (again.ok) input = again.input;
  }
  const problems = operation.kind === 'own' ? await operation.check?.(context, input) : undefined;
  if (problems && problems.length > 0)
    return { ok: false, problem: invalid(sentences(problems)), beside: problems };
  return { ok: true, input, raw: named, ...(Object.keys(called).length > 0 && { called }) };
}

function invalid(what: string): Problem {
  return explain(new RackhandError('input_invalid', what), { changing: false });
}

function sentences(problems: readonly FieldProblem[]): string {
  return `${problems.map(({ message }) => message).join('. ')}.`;
}

/** Gives the text at a place of a parsed input. */
function inputAt(input: Input, path: string): string | undefined {
  const value = path
    .split('.')
    .reduce<unknown>(
      (inner, field) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, field) : undefined),
      input,
    );
  return typeof value === 'string' ? value : undefined;
}

async function refuse(
  operation: Operation,
  raw: RawInput,
  wrong: Wrong,
  { read, reach, asker }: Pick<OperationContext, 'read' | 'reach' | 'asker'>,
): Promise<CheckedInput> {
  const { what, place, written } = wrong;
  const problem = invalid(what);
  if (!place || written === undefined) return { ok: false, problem };
  // That the list cannot be read must not hide what is wrong with the input.
  const mayDo = await reach();
  const mayOffer = ({ value }: Choice) => place.source !== fleet || maySee(mayDo, value);
  const meant = await findClosest(place.source, written, raw, read, mayOffer, asker.teamId).catch(
    () => undefined,
  );
  if (meant === undefined) return { ok: false, problem };
  const input = withValueAt(operation, raw, place.path, meant.value);
  const steps = [{ label: `Use ${meant.text}`, operation: operation.name, input }];
  return { ok: false, problem: { ...problem, next: `The nearest one here is ${meant.text}.`, steps } };
}

function malformed(operation: Operation, raw: RawInput, problems: readonly FieldProblem[]): Wrong {
  const places = remotePlaces(operation, raw);
  const place = places.find(({ path }) => problems.some((problem) => problem.path === path));
  const written = place && valueAt(operation, raw, place.path);
  if (!place || written === undefined) return { what: sentences(problems) };
  const { message } = problems.find(({ path }) => path === place.path) ?? { message: '' };
  return { what: `"${written}" is not the name of ${place.source.noun}. ${message}.`, place, written };
}
