import { RackhandError } from '../error.ts';
import { type FieldProblem, parseInput, vpsNamesOf } from './input.ts';
import type { Operation, Read } from './operation.ts';
import type { NextStep, RawInput } from './outcome.ts';
import { explain, type Problem } from './problem.ts';
import { findClosestVps, findUnknownVps } from './vps/known.ts';

export type CheckedInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: Problem };

/** Checks an input whole: first what it says, then that the VPS which it names exist. Offers the nearest name for one that does not. */
export async function checkInput(operation: Operation, raw: RawInput, read: Read): Promise<CheckedInput> {
  const parsed = parseInput(operation, raw);
  if (!parsed.ok) {
    const written = malformedVps(operation, raw, parsed.problems);
    const what =
      written === undefined
        ? parsed.problems.map(({ message }) => message).join('. ')
        : `"${written}" is not the name of a VPS`;
    return refuse(operation, raw, what, written, read);
  }
  const unknown = await findUnknownVps(read, vpsNamesOf(operation.arguments, parsed.input));
  return unknown === undefined
    ? parsed
    : refuse(operation, raw, `There is no VPS called ${unknown} in this account`, unknown, read);
}

async function refuse(
  operation: Operation,
  raw: RawInput,
  what: string,
  writtenVps: string | undefined,
  read: Read,
): Promise<CheckedInput> {
  // That the list cannot be read must not hide what is wrong with the input.
  const meant =
    writtenVps === undefined ? undefined : await findClosestVps(read, writtenVps).catch(() => undefined);
  const problem = explain(new RackhandError('input_invalid', `${what}.`), { changing: false });
  if (meant === undefined) return { ok: false, problem };
  return {
    ok: false,
    problem: {
      ...problem,
      next: `A VPS name looks like VPS-10001. The nearest one here is ${meant}.`,
      steps: correction(operation, raw, meant),
    },
  };
}

/** The word that stands where a VPS name should, if that is what is wrong. */
function malformedVps(
  operation: Operation,
  raw: RawInput,
  problems: readonly FieldProblem[],
): string | undefined {
  const wrong = problems.find(({ path }) => operation.arguments[path]?.control.kind === 'vps');
  const written = wrong && raw[wrong.path];
  return typeof written === 'string' ? written : undefined;
}

/** The same request with the name that was probably meant. */
function correction(operation: Operation, raw: RawInput, vps: string): NextStep[] {
  const field = Object.entries(operation.arguments).find(([, { control }]) => control.kind === 'vps')?.[0];
  return field === undefined
    ? []
    : [{ label: `Use ${vps}`, operation: operation.name, input: { ...raw, [field]: vps } }];
}
