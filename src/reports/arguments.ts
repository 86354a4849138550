import { z } from 'zod';
import { vpsName } from '../hosting/fields.ts';
import type { Argument } from '../operations/argument.ts';
import { fleet } from '../operations/sources/fleet.ts';
import type { Source } from '../operations/sources/source.ts';
import { vpsPatterns } from '../workspaces/rights/patterns.ts';

type Texts = Pick<Argument, 'label' | 'example'> &
  Partial<
    Pick<
      Argument,
      'hint' | 'fieldHint' | 'flag' | 'written' | 'takesRest' | 'control' | 'initial' | 'meantFor'
    >
  >;

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

/** Has a form ask for what may be left out of what is typed, where it shows it at all. */
export function askedFor<T>(argument: Argument<T>): Argument<T> {
  return { ...argument, required: true };
}

/** Which VPS a report tells of. */
export const vpsPatternArgument = optionalArgument(
  {
    label: 'VPS',
    example: 'VPS-10001,VPS-200*',
    flag: 'vps',
    written: 'patterns',
    hint: 'Names, or patterns in which * stands for any characters, with commas between. All unless given.',
  },
  vpsPatterns,
);

/** The one VPS that a report looks into. */
export const aboutArgument = optionalArgument(
  {
    label: 'VPS in depth',
    example: 'VPS-10001',
    flag: 'about',
    written: 'vps',
    hint: 'One VPS, with its CPU, memory, disk and network.',
    control: { kind: 'remote', source: fleet },
  },
  z.string().trim().pipe(vpsName),
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

const nameTexts = { label: 'Report', example: 'Fleet, daily', written: 'name', takesRest: true } as const;

/** Takes one of the reports that there are, by its name; the words of a command that are left are that name. */
export function reportArgument(reports: Source): Argument<string> {
  return { ...nameTexts, control: { kind: 'remote', source: reports }, required: true, schema: reportName };
}

/** Takes one of the reports that there are, or none. */
export function optionalReportArgument(reports: Source): Argument<string | undefined> {
  return optionalArgument({ ...nameTexts, control: { kind: 'remote', source: reports } }, reportName);
}
