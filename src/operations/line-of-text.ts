import { z } from 'zod';

/** The API document shows no length limit; this one keeps a name readable. */
const mostNameChars = 100;

/** Takes a name that a person makes up: one line of at most 100 characters. `missing` asks for it. */
export function lineOfText(missing: string): z.ZodType<string> {
  return z
    .string({ error: missing })
    .trim()
    .min(1, { error: missing })
    .max(mostNameChars, { error: `A name has at most ${mostNameChars} characters` })
    .regex(/^\P{Cc}*$/u, { error: 'A name is one line of text' });
}
