import { z } from 'zod';
import type { Argument } from '../operations/define/arguments/argument.ts';

/**
 * Converts an argument to one of an edit, in which undefined keeps the value and `null` (an empty
 * field) removes it.
 */
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

/**
 * Returns the new value of an argument: the current value if `change` is undefined, the default if
 * `change` is `null`.
 */
export function applyChange<T>(change: T | null | undefined, present: T | undefined): T | undefined {
  return change === undefined ? present : (change ?? undefined);
}
