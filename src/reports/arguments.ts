import { z } from 'zod';
import type { Argument } from '../operations/argument.ts';
import { vpsPattern } from '../workspaces/rights/pattern.ts';

type Texts = Pick<Argument, 'label' | 'example'> &
  Partial<Pick<Argument, 'hint' | 'flag' | 'written' | 'takesRest' | 'control'>>;

/** Takes text that may be left out, and is left out where a form's field is empty. */
export function optionalArgument<T>(texts: Texts, schema: z.ZodType<T, string>): Argument<T | undefined> {
  const isLeftOut = (given: unknown) => typeof given === 'string' && given.trim() === '';
  return {
    control: { kind: 'text' },
    ...texts,
    required: false,
    schema: z.preprocess((given) => (isLeftOut(given) ? undefined : given), schema.optional()),
  };
}

/** Which VPS a report tells of. */
export const vpsPatternArgument = optionalArgument(
  {
    label: 'VPS',
    example: 'VPS-100*',
    flag: 'vps',
    written: 'pattern',
    hint: 'A name, or a pattern in which * stands for any characters. All unless given.',
  },
  z.string().trim().pipe(vpsPattern),
);

/** Longest name of a report: it is typed, and heads a picture. */
const mostNameChars = 60;

/** What a report is called: one line, its spaces single. */
export const reportName = z
  .string({ error: 'Name the report' })
  .trim()
  .transform((name) => name.replace(/\s+/g, ' '))
  .pipe(
    z
      .string()
      .min(1, { error: 'Name the report' })
      .max(mostNameChars, { error: `A name has at most ${mostNameChars} characters` }),
  );

const nameTexts = {
  label: 'Report',
  example: 'Fleet, daily',
  written: 'name',
  hint: 'As the list of reports shows it.',
} as const;

/** Takes the name of a report; the words of a command that are left are that name. */
export const nameArgument: Argument<string> = {
  ...nameTexts,
  takesRest: true,
  control: { kind: 'text' },
  required: true,
  schema: reportName,
};

/** Takes the name of a report, or none. */
export const optionalNameArgument = optionalArgument({ ...nameTexts, takesRest: true }, reportName);
