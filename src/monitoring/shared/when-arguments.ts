import { z } from 'zod';
import { type Argument, textArgument } from '../../operations/define/arguments/argument.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import type { FieldProblem, RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { FormPreview, OperationContext } from '../../operations/define/operation.ts';
import { formatNextTimes, formatWhen } from '../../time/format-when.ts';
import { parseWhen, toWhenText } from '../../time/parse-when.ts';
import { parseQuietHours } from '../../time/quiet-hours.ts';
import { formatUnknownZone, parseTimeZone, timeZoneSchema } from '../../time/time-zone.ts';
import { nextTimeAfter } from '../../time/timetable.ts';
import type { When } from '../../time/when.ts';

const maxChars = 400;

const texts = {
  point: {
    example: '"tomorrow 03:00"',
    hint: 'Once: tomorrow 03:00, sat 04:00, 2026-12-01 03:00. Repeatedly: every sat 04:00, daily 02:00, monthly 1 02:00.',
  },
  period: {
    example: '"sat 02:00-04:00"',
    hint: 'Such as sat 02:00-04:00, every sun 01:00-03:00, tomorrow 22:00 for 90m, or now for 2h.',
  },
} as const;

/** Returns the WHEN argument as typed: a point in time, or a period with an end. */
export function whenArgument(kind: keyof typeof texts): Argument<string> {
  const { example, hint } = texts[kind];
  const error = `Say when, such as ${example.replaceAll('"', '')}`;
  return textArgument(
    { label: 'When', example, hint, takesRemainingWords: true },
    z
      .string({ error })
      .trim()
      .min(1, { error })
      .max(maxChars, { error: `Use at most ${maxChars} characters` }),
  );
}

export const zoneArgument = optionalArgument(
  { label: 'Time zone', example: 'Europe/Berlin', flag: 'zone', hint: 'Default: yours.' },
  timeZoneSchema,
);

export const quietArgument = optionalArgument(
  {
    label: 'Quiet times',
    example: '"22:00-07:00 mon-fri"',
    flag: 'quiet',
    hint: 'No reports at these times, such as 22:00-07:00 or sat sun.',
  },
  z
    .string()
    .trim()
    .max(maxChars, { error: `Use at most ${maxChars} characters` }),
);

interface WhenInput {
  readonly when: string;
  readonly zone?: string | undefined;
  readonly quiet?: string | undefined;
}

type ReadWhenResult =
  | { readonly kind: 'valid'; readonly when: When }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

interface ReadWhenOptions {
  readonly nowMs: number;
  readonly isPeriod?: boolean;
  /** The times of the plan being edited. They stay valid even after they've passed. */
  readonly kept?: When | undefined;
}

/** Parses a plan's times. Each problem names its field. */
export async function readWhen(
  { timeZone }: Pick<OperationContext, 'timeZone'>,
  { when: text, zone: typedZone, quiet: typedQuiet = '' }: WhenInput,
  { nowMs, isPeriod = false, kept }: ReadWhenOptions,
): Promise<ReadWhenResult> {
  const invalid = (path: string, message: string): ReadWhenResult => ({
    kind: 'invalid',
    problems: [{ path, message }],
  });
  const zone = parseTimeZone(typedZone || (await timeZone()));
  if (zone === undefined) return invalid('zone', formatUnknownZone(typedZone ?? ''));
  const quiet = parseQuietHours(typedQuiet);
  if (!quiet)
    return invalid('quiet', 'Give quiet times such as 22:00-07:00, or 22:00-07:00 mon-fri, sat sun');
  const isKept = kept?.zone === zone && toWhenText(kept) === text;
  const parsed = isKept
    ? ({ kind: 'valid', when: { ...kept, quiet: undefined } } as const)
    : parseWhen(text, {
        zone,
        nowMs,
        isPeriod,
        keptStartMs: isPeriod && kept?.kind === 'once' ? kept.atMs : undefined,
      });
  if (parsed.kind === 'invalid') return invalid('when', parsed.message);
  const when = quiet.length === 0 ? parsed.when : { ...parsed.when, quiet };
  return quiet.length > 0 && nextTimeAfter(when, nowMs) === undefined
    ? invalid('quiet', 'All of these times are quiet times, so there would never be a report')
    : { kind: 'valid', when };
}

/** Returns the preview for a form with a WHEN argument. `findKept` finds the times of the plan being edited. */
export function whenPreview(
  now: () => number,
  isPeriod = false,
  findKept: (context: OperationContext, given: RawInput) => Promise<When | undefined> = async () => undefined,
) {
  return {
    dependsOn: ['when', 'zone'],
    isWhileTyping: true,
    build: async (context: OperationContext, given: RawInput) =>
      previewWhen(context, given, { nowMs: now(), isPeriod, kept: await findKept(context, given) }),
  } as const;
}

/** Formats the typed times and the next three occurrences, or why the times aren't valid yet. */
export async function previewWhen(
  context: Pick<OperationContext, 'timeZone'>,
  given: RawInput,
  options: ReadWhenOptions,
): Promise<FormPreview | undefined> {
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' ? value : '';
  };
  if (text('when') === '') return undefined;
  const read = await readWhen(
    context,
    { when: text('when'), zone: text('zone'), quiet: text('quiet') },
    options,
  );
  const heading = 'Times';
  if (read.kind === 'invalid') return { heading, lines: read.problems.map(({ message }) => `${message}.`) };
  const { when } = read;
  const times = when.kind === 'once' ? [] : formatNextTimes(when, options.nowMs);
  return { heading, lines: [`${formatWhen(when)}.`, ...times.map((moment) => `•  ${moment}`)] };
}
