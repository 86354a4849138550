import { z } from 'zod';
import type { Argument, Control, InputOf } from '../operations/argument.ts';
import { channelArgument } from '../operations/argument.ts';
import { durationSchema } from '../operations/duration.ts';
import type { Source } from '../operations/sources/source.ts';
import { askedFor, optionalArgument } from '../reports/arguments.ts';
import { vpsPatterns } from '../workspaces/rights/patterns.ts';
import { longestForMs } from './condition.ts';
import { matches, measures, readMatch, readMeasure, readSide, sides } from './sentence.ts';

const measureTexts = {
  cpu: 'CPU',
  memory: 'Memory',
  disk: 'Disk',
  traffic: 'Traffic, in and out',
  state: 'State',
};
const sideTexts = { over: 'is over', under: 'is under' };
const matchTexts = { 'is not': 'is not', is: 'is' };

const figured = { argument: 'measure', choices: ['cpu', 'memory', 'disk', 'traffic'] };
const ofState = { argument: 'measure', choices: ['state'] };

/** How long a condition has to hold unless somebody says otherwise. */
const usualForMs = 5 * 60_000;

function choiceOf(options: readonly string[], texts: Readonly<Record<string, string>>): Control {
  return { kind: 'choice', options, texts };
}

/** Takes a word in whatever way it is written that `read` knows. */
function wordOf<Word extends string>(read: (written: string) => Word | undefined, error: string) {
  return z.string({ error }).transform((written, context) => {
    const word = read(written);
    if (word !== undefined) return word;
    context.addIssue({ code: 'custom', message: error });
    return z.NEVER;
  });
}

const measure: Argument<(typeof measures)[number]> = {
  label: 'What',
  example: 'cpu',
  control: choiceOf(measures, measureTexts),
  required: true,
  initial: 'cpu',
  schema: wordOf(
    readMeasure,
    'Say what is watched: cpu, memory, disk, traffic or state, as in cpu > 90% for 10m',
  ),
};

/** Longest name of a watch: it is typed, and stands in its messages. */
const mostNameChars = 60;

const watchName = z
  .string({ error: 'Name the watch' })
  .trim()
  .transform((name) => name.replace(/\s+/g, ' '))
  .pipe(
    z
      .string()
      .min(1, { error: 'Name the watch' })
      .max(mostNameChars, { error: `A name has at most ${mostNameChars} characters` }),
  );

/** What a watch is set by. */
export const watchArguments = {
  vps: optionalArgument(
    {
      label: 'VPS',
      example: 'VPS-100*',
      written: 'patterns',
      hint: 'Names, or patterns in which * stands for any characters, with commas between. All unless given.',
    },
    vpsPatterns,
  ),
  measure,
  is: askedFor(
    optionalArgument(
      {
        label: 'When it',
        example: 'over',
        control: choiceOf(sides, sideTexts),
        initial: 'over',
        meantFor: figured,
      },
      wordOf(readSide, 'A figure is over or under a threshold, as in cpu > 90%'),
    ),
  ),
  figure: askedFor(
    optionalArgument(
      {
        label: 'Threshold',
        example: '90%',
        hint: 'A percentage; for traffic an amount per second, such as 50 MB/s or 400 Mbit/s.',
        meantFor: figured,
      },
      z.string().trim().max(40, { error: 'A threshold looks like 90%, or 50 MB/s' }),
    ),
  ),
  match: askedFor(
    optionalArgument(
      {
        label: 'When it',
        example: 'is not',
        control: choiceOf(matches, matchTexts),
        initial: 'is not',
        meantFor: ofState,
      },
      wordOf(readMatch, 'A state is or is not a word, as in state is not running'),
    ),
  ),
  state: askedFor(
    optionalArgument(
      {
        label: 'State',
        example: 'running',
        hint: 'As the service calls it, such as running or stopped.',
        meantFor: ofState,
      },
      z
        .string()
        .trim()
        .regex(/^\p{L}[\p{L}\p{N} _-]{0,40}$/u, {
          error: 'A state is a word of the service, such as running or stopped',
        }),
    ),
  ),
  lasts: optionalArgument(
    {
      label: 'For',
      example: '10m',
      initial: '5m',
      hint: 'How long it has to last: 10m, 1h, or 0m to be told at once. Five minutes unless given.',
    },
    durationSchema(0, longestForMs),
  ),
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where it is told. Typed in a channel, that one unless given.',
  }),
  name: optionalArgument(
    { label: 'Name', example: '"CPU of VPS-100*"', flag: 'name', hint: 'What the watch is called.' },
    watchName,
  ),
} as const;

export type WatchInput = InputOf<typeof watchArguments>;

/** Gives how long a condition has to hold by what was given. */
export function lengthOf({ lasts }: Pick<WatchInput, 'lasts'>): number {
  return lasts ?? usualForMs;
}

/** Takes one of the watches that there are, by its name; the words of a command that are left are that name. */
export function watchArgument(watches: Source): Argument<string> {
  return {
    label: 'Watch',
    example: 'CPU of VPS-100*',
    written: 'name',
    takesRest: true,
    control: { kind: 'remote', source: watches },
    required: true,
    schema: watchName,
  };
}
