import { RackhandError } from '../../error.ts';
import { vpsName } from '../../hosting/fields.ts';
import { type FieldProblem, parseInput, vpsNamesOf } from '../input.ts';
import type { Operation, Read } from '../operation.ts';
import type { RawInput } from '../outcome.ts';
import { pathsOfVps, valueAt, withValueAt } from '../raw-place.ts';
import { findClosestVps, findUnknownVps } from '../vps/known.ts';
import { explain, type Problem } from './problem.ts';

export type CheckedInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: Problem };

/** What is wrong with an input, and the VPS name in it that is, if that is it. */
interface Wrong {
  readonly what: string;
  /** A field, or a row and its field. */
  readonly path?: string;
  readonly written?: string;
}

const looks = 'A VPS name looks like VPS-10001.';

/** Checks an input whole: first what it says, then that the VPS which it names exist. Offers the nearest name for one that does not. */
export async function checkInput(operation: Operation, raw: RawInput, read: Read): Promise<CheckedInput> {
  const parsed = parseInput(operation, raw);
  if (!parsed.ok) return refuse(operation, raw, malformed(operation, raw, parsed.problems), read);
  const unknown = await findUnknownVps(read, vpsNamesOf(operation.arguments, parsed.input));
  if (unknown === undefined) return parsed;
  const path = pathsOfVps(operation, raw).find((place) =>
    isSameName(valueAt(operation, raw, place), unknown),
  );
  const what = `There is no VPS called ${unknown} in this account. ${looks}`;
  return refuse(operation, raw, { what, written: unknown, ...(path && { path }) }, read);
}

async function refuse(operation: Operation, raw: RawInput, wrong: Wrong, read: Read): Promise<CheckedInput> {
  const { what, path, written } = wrong;
  const problem = explain(new RackhandError('input_invalid', what), { changing: false });
  // That the list cannot be read must not hide what is wrong with the input.
  const meant =
    written === undefined ? undefined : await findClosestVps(read, written).catch(() => undefined);
  if (meant === undefined) return { ok: false, problem };
  const step = { label: `Use ${meant}`, operation: operation.name };
  const steps = path === undefined ? [] : [{ ...step, input: withValueAt(operation, raw, path, meant) }];
  return { ok: false, problem: { ...problem, next: `The nearest one here is ${meant}.`, steps } };
}

function malformed(operation: Operation, raw: RawInput, problems: readonly FieldProblem[]): Wrong {
  const paths = pathsOfVps(operation, raw);
  const wrong = problems.find(({ path }) => paths.includes(path));
  const written = wrong && valueAt(operation, raw, wrong.path);
  if (!wrong || written === undefined)
    return { what: `${problems.map(({ message }) => message).join('. ')}.` };
  return { what: `"${written}" is not the name of a VPS. ${looks}`, path: wrong.path, written };
}

function isSameName(written: string | undefined, name: string): boolean {
  return vpsName.safeParse(written?.trim()).data === name;
}
