import { z } from 'zod';
import { recipientArgument } from '../../../auth/recipients.ts';
import {
  type Argument,
  type Control,
  channelArgument,
  type InputOf,
} from '../../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { optionalArgument, requiredInForm } from '../../../operations/define/arguments/optional-argument.ts';
import { durationSchema } from '../../../operations/grammar/duration.ts';
import { planArgument, planNameSchema } from '../../../plans/plan-arguments.ts';
import { vpsPatternArgument } from '../../shared/vps-selection.ts';
import { matches, maxForMs, measures, parseMatch, parseMeasure, parseSide, sides } from '../condition.ts';

const measureTexts = {
  cpu: 'CPU',
  memory: 'Memory',
  disk: 'Disk',
  traffic: 'Traffic, in and out',
  state: 'State',
};
const sideTexts = { over: 'is over', under: 'is under' };
const matchTexts = { 'is not': 'is not', is: 'is' };

const forMetrics = { argument: 'measure', choices: ['cpu', 'memory', 'disk', 'traffic'] };
const forState = { argument: 'measure', choices: ['state'] };

const defaultForMs = 5 * 60_000;

function choiceControl(options: readonly string[], texts: Readonly<Record<string, string>>): Control {
  return { kind: 'choice', options, labels: texts };
}

/** Returns a schema that accepts any spelling of a keyword that `read` can parse. */
function keywordSchema<Word extends string>(read: (written: string) => Word | undefined, error: string) {
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
  control: choiceControl(measures, measureTexts),
  required: true,
  initial: 'cpu',
  schema: keywordSchema(
    parseMeasure,
    'Choose what to watch: cpu, memory, disk, traffic or state. Example: cpu > 90% for 10m',
  ),
};

/** Limits on the escalation delay. */
const minEscalateMs = 60_000;
export const maxEscalateMs = 24 * 60 * 60_000;

/** Returns a watch's arguments. `recipients` lists the people and user groups that it can ping. */
export function createWatchArguments(recipients: ChoiceSource) {
  return {
    ...conditionArguments,
    notify: recipientArgument(
      {
        label: 'Notify',
        example: '@on-call',
        flag: 'notify',
        valueName: 'who',
        hint: 'The person or user group to ping when an alert begins.',
      },
      recipients,
    ),
    escalate: optionalArgument(
      {
        label: 'Escalate after',
        example: '"15m @lead"',
        flag: 'escalate',
        recipientFlag: 'escalate-to',
        valueName: 'time',
        hint: 'Ping someone else if no one has acknowledged the alert after this time.',
        fieldHint: 'Such as 15m, if no one has acknowledged the alert by then.',
      },
      durationSchema(minEscalateMs, maxEscalateMs),
    ),
    escalateTo: recipientArgument(
      { label: 'Escalate to', example: '@lead', flag: 'escalate-to', valueName: 'who' },
      recipients,
    ),
    runbook: optionalArgument(
      {
        label: 'Runbook',
        example: 'https://wiki.example.com/cpu',
        flag: 'runbook',
        valueName: 'url',
        hint: 'A page that says what to do. Each alert links to it.',
      },
      z
        .url({ protocol: /^https?$/, error: 'Give a link, such as https://wiki.example.com/cpu' })
        .max(500, { error: 'Use at most 500 characters' }),
    ),
  } as const;
}

export const conditionArguments = {
  vps: { ...vpsPatternArgument, example: 'VPS-100*' },
  measure,
  is: requiredInForm(
    optionalArgument(
      {
        label: 'Alert when it',
        example: 'over',
        control: choiceControl(sides, sideTexts),
        initial: 'over',
        shownWhen: forMetrics,
      },
      keywordSchema(parseSide, 'Compare with over or under, such as cpu > 90%'),
    ),
  ),
  figure: requiredInForm(
    optionalArgument(
      {
        label: 'Threshold',
        example: '90%',
        hint: 'A percentage; for traffic an amount per second, such as 50 MB/s or 400 Mbit/s.',
        shownWhen: forMetrics,
      },
      z.string().trim().max(40, { error: 'Give a threshold, such as 90% or 50 MB/s' }),
    ),
  ),
  match: requiredInForm(
    optionalArgument(
      {
        label: 'Alert when it',
        example: 'is not',
        control: choiceControl(matches, matchTexts),
        initial: 'is not',
        shownWhen: forState,
      },
      keywordSchema(parseMatch, 'Compare with is or is not, such as state is not running'),
    ),
  ),
  state: requiredInForm(
    optionalArgument(
      {
        label: 'State',
        example: 'running',
        hint: 'As the hosting service names it, such as running or stopped.',
        shownWhen: forState,
      },
      z
        .string()
        .trim()
        .regex(/^\p{L}[\p{L}\p{N} _-]{0,40}$/u, {
          error: "Give a state in the service's words, such as running or stopped",
        }),
    ),
  ),
  lasts: optionalArgument(
    {
      label: 'For',
      example: '10m',
      initial: '5m',
      hint: 'How long the condition must hold: 10m, 1h, or 0m to alert at once. Default: 5m.',
    },
    durationSchema(0, maxForMs),
  ),
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where to post alerts. Default: the current channel.',
  }),
  name: optionalArgument(
    {
      label: 'Name',
      example: '"CPU of VPS-100*"',
      flag: 'name',
      hint: 'Default: the figure and the VPS, such as CPU of web-01.',
    },
    planNameSchema('watch'),
  ),
} as const;

export type WatchArguments = ReturnType<typeof createWatchArguments>;

export type WatchInput = InputOf<WatchArguments>;

export function forMsOrDefault({ lasts }: Pick<WatchInput, 'lasts'>): number {
  return lasts ?? defaultForMs;
}

export function watchArgument(watches: ChoiceSource): Argument<string> {
  return planArgument('watch', 'CPU of VPS-100*', watches);
}
