import { z } from 'zod';
import { RackhandError } from '../errors.ts';
import {
  type Argument,
  type Arguments,
  type InputOf,
  inputSchema,
} from '../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../operations/define/arguments/choice-source.ts';
import { optionalArgument } from '../operations/define/arguments/optional-argument.ts';
import type { FieldProblem, RawInput } from '../operations/define/arguments/raw-input.ts';
import { type PlanKindName, planWords } from './plan-words.ts';

const maxNameChars = 60;

/** Returns the schema for a plan name. Collapses whitespace, including line breaks, into single spaces. */
export function planNameSchema(kind: PlanKindName): z.ZodType<string, string> {
  const error = `Name the ${planWords[kind].noun}`;
  return z
    .string({ error })
    .trim()
    .transform((name) => name.replace(/\s+/g, ' '))
    .pipe(
      z
        .string()
        .min(1, { error })
        .max(maxNameChars, { error: `Use at most ${maxNameChars} characters` }),
    );
}

/** Returns the argument that selects a plan by name. In a command, the name takes all remaining words. */
export function planArgument(kind: PlanKindName, example: string, source: ChoiceSource): Argument<string> {
  return {
    label: planWords[kind].one,
    example,
    valueName: 'name',
    takesRemainingWords: true,
    control: { kind: 'remote', source },
    required: true,
    schema: planNameSchema(kind),
  };
}

/** The occurrence that a Skip button skips, so an old button doesn't skip a later occurrence. */
export const timeArgument: Argument<number | undefined> = {
  ...optionalArgument(
    {
      label: 'Time',
      example: '1795488000000',
      flag: 'time',
      hint: 'Set by the Skip button. Default: the next time.',
    },
    z
      .string()
      .trim()
      .regex(/^\d{1,15}$/, { error: 'Only the Skip button sets this' })
      .transform(Number),
  ),
  isSetByButtons: true,
};

/** A name in use by any kind of plan in the workspace. */
export interface TakenName {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
}

/** Says which kind of plan has the name, without a final period. */
export function describeTakenName({ kind, name }: Pick<TakenName, 'kind' | 'name'>): string {
  const words = Object.entries(planWords).find(([known]) => known === kind);
  const noun = words ? words[1].noun : 'plan made by a newer version';
  return `There is already a ${noun} named "${name}"`;
}

/** Makes a name typeable and unique: collapses whitespace and, if the name is taken, appends a number. */
export function uniqueName(wanted: string, taken: readonly Pick<TakenName, 'name'>[]): string {
  const first = wanted.replace(/\s+/g, ' ').trim();
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? first : `${first} ${number}`;
    if (taken.every((one) => one.name !== name)) return name;
  }
}

export type PlanResult<Planned> =
  | { readonly kind: 'valid'; readonly planned: Planned }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

export function invalidPlanError(problems: readonly FieldProblem[]): RackhandError {
  return new RackhandError('input_invalid', `${problems.map(({ message }) => message).join('. ')}.`);
}

/**
 * Returns a plan's problems that are known before the run. Empty if a read fails, because the run reports that failure.
 */
export async function planProblems(planning: Promise<PlanResult<unknown>>): Promise<readonly FieldProblem[]> {
  const made = await planning.catch(() => undefined);
  return made?.kind === 'invalid' ? made.problems : [];
}

/** Moves a problem with the name to the `rename` field, because `name` selects the plan to edit. */
export function toRenameProblem({ path, message }: FieldProblem): FieldProblem {
  return { path: path === 'name' ? 'rename' : path, message };
}

/** Makes an argument optional for edits. Undefined keeps the value; `null` (an empty field) removes the value. */
export function toEditArgument<T>(argument: Argument<T>): Argument<T | null | undefined> {
  const { initial: _, ...kept } = argument;
  return {
    ...kept,
    required: false,
    schema: z
      .unknown()
      .transform((given, context) => {
        if (typeof given === 'string' && given.trim() === '') return null;
        const parsed = argument.schema.safeParse(given);
        if (parsed.success) return parsed.data;
        for (const { message } of parsed.error.issues) context.addIssue({ code: 'custom', message });
        return z.NEVER;
      })
      .optional(),
  };
}

/** Returns an argument's new value: the current one if `change` is undefined, the default if it's `null`. */
export function applyChange<T>(change: T | null | undefined, present: T | undefined): T | undefined {
  return change === undefined ? present : (change ?? undefined);
}

/** The arguments of an edit: the plan, its fields, and its new name. */
export type EditArgumentsOf<A extends Arguments> = {
  readonly name: Argument<string>;
  readonly rename: Argument<string | null | undefined>;
} & { readonly [K in Exclude<keyof A, 'name'>]: Argument<InputOf<A>[K] | null | undefined> };

/** Returns the arguments of an edit. `flags` adds flags for fields that need none when a plan is added. */
export function createEditArguments<A extends Arguments>(
  nameArgument: Argument<string>,
  { name, ...fields }: A,
  flags: Partial<Record<keyof A, string>>,
): EditArgumentsOf<A> {
  const edited = Object.entries(fields).map(([field, argument]) => {
    const flag = flags[field] ?? argument.flag;
    return [field, toEditArgument({ ...argument, ...(flag !== undefined && { flag }) })];
  });
  return {
    name: nameArgument,
    ...Object.fromEntries(edited),
    ...(name && { rename: toEditArgument({ ...name, hint: 'The new name.' }) }),
  } as EditArgumentsOf<A>;
}

/**
 * Returns the input after an edit. `present` is the input that would recreate the current plan, without the `dropped`
 * fields, which don't fit the changes.
 */
export function applyChanges<A extends Arguments>(
  fields: A,
  present: RawInput,
  { rename, name: _, ...changes }: Readonly<Record<string, unknown>>,
  dropped: readonly string[] = [],
): InputOf<A> {
  const kept = Object.entries(present).filter(([field]) => !dropped.includes(field));
  const before = inputSchema(fields).parse(Object.fromEntries(kept)) as Readonly<Record<string, unknown>>;
  const after = Object.entries(fields).map(([field, { required, control }]) => {
    const change = field === 'name' ? (rename ?? undefined) : changes[field];
    const isKept = change === undefined || (change === null && (required || control.kind === 'channel'));
    return [field, isKept ? before[field] : (change ?? undefined)];
  });
  return Object.fromEntries(after) as InputOf<A>;
}
