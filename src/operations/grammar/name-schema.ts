import { z } from 'zod';

/** Maximum length of a name, for readability. The API document states no limit. */
const maxNameChars = 100;

/**
 * Returns the schema for a name that a person chooses: one line of at most 100 characters.
 * `missingMessage` is shown if there is no name.
 */
export function nameSchema(missingMessage: string): z.ZodType<string> {
  return z
    .string({ error: missingMessage })
    .trim()
    .min(1, { error: missingMessage })
    .max(maxNameChars, { error: `Use at most ${maxNameChars} characters` })
    .regex(/^\P{Cc}*$/u, { error: 'Use one line of text' });
}
