import { z } from 'zod';
import type { Argument } from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { optionalArgument } from '../../../operations/define/arguments/optional-argument.ts';
import { vpsSelectionSchema } from '../vps-selection.ts';
import { monitorTexts, type PlanKind } from './monitor.ts';

/** Maximum length of a name, which people type and messages contain. */
const maxNameChars = 60;

/** Returns the schema for a name on one line. Consecutive spaces become one. */
export function monitorNameSchema(kind: PlanKind): z.ZodType<string, string> {
  const error = `Name the ${monitorTexts[kind].noun}`;
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

/** Selects a report or watch by name. In a command, all remaining words are the name. */
export function monitorArgument(kind: PlanKind, example: string, source: ChoiceSource): Argument<string> {
  return {
    label: monitorTexts[kind].one,
    example,
    valueName: 'name',
    takesRemainingWords: true,
    control: { kind: 'remote', source },
    required: true,
    schema: monitorNameSchema(kind),
  };
}

/** Selects the VPS of a report or watch. */
export const vpsPatternArgument = optionalArgument(
  {
    label: 'VPS',
    example: 'web-*,VPS-10001',
    valueName: 'patterns',
    hint: 'Names or patterns with *, separated by commas. Default: all.',
  },
  vpsSelectionSchema,
);
