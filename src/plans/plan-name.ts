import { z } from 'zod';
import type { Argument } from '../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../operations/define/arguments/choice-source.ts';
import { type PlanKindName, planWords } from './plan-words.ts';

/** Maximum length of a name, which people type and messages contain. */
const maxNameChars = 60;

/** Returns the schema for a name on one line. Consecutive spaces become one. */
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

/** Selects a plan by name. In a command, all remaining words are the name. */
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
