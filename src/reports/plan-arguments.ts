import { z } from 'zod';
import type { Argument, Control, InputOf } from '../operations/argument.ts';
import { channelArgument } from '../operations/argument.ts';
import { aboutArgument, askedFor, optionalArgument, reportName, vpsPatternArgument } from './arguments.ts';
import { readTimeOfDay } from './schedule/time-of-day.ts';
import { nearestZone, readZone } from './schedule/zone.ts';
import { summarySettings } from './summary/settings.ts';
import { exampleThresholds, readThresholds, writeThresholds } from './summary/thresholds.ts';

const everies = {
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week',
  monthly: 'Every month',
  cron: 'As a cron expression says',
} as const;

const whats = { fleet: 'A summary of the fleet', vps: 'One VPS in depth' } as const;

const posts = {
  always: 'Always',
  standout: 'When something stands out',
  change: 'When something else stands out than before',
} as const;

/** Longer than anything that could be meant. */
const mostChars = 400;

const text = z
  .string()
  .trim()
  .max(mostChars, { error: `This has more than ${mostChars} characters` });

/** Five words or more: what somebody types who gives a cron expression where a time is expected. */
const cronLike = /^\S+(?:\s+\S+){4,}$/;

const timeOfDay = text.superRefine((written, context) => {
  if (readTimeOfDay(written) !== undefined) return;
  const message = cronLike.test(written)
    ? `A cron expression is given by --cron, as in --cron "${written}"`
    : 'A time is hours and minutes from 00:00 to 23:59, as in 09:00';
  context.addIssue({ code: 'custom', message });
});

const zone = text.superRefine((written, context) => {
  if (readZone(written)) return;
  const meant = nearestZone(written);
  const guess = meant ? `: did you mean ${meant}?` : ', such as Europe/Berlin';
  context.addIssue({ code: 'custom', message: `“${written}” is no time zone${guess}` });
});

const thresholds = text.superRefine((written, context) => {
  const read = readThresholds(written, summarySettings.parse({}));
  if (!read.ok) context.addIssue({ code: 'custom', message: read.problem });
});

/** Takes one of some words, whose texts stand in a form. */
function wordOf<Word extends string>(texts: Readonly<Record<Word, string>>, error: string) {
  const isWord = (given: string): given is Word => Object.hasOwn(texts, given);
  return z.string({ error }).trim().toLowerCase().refine(isWord, { error });
}

function choiceOf(texts: Readonly<Record<string, string>>): Control {
  return { kind: 'choice', options: Object.keys(texts), texts };
}

/** How often a report comes; the form of one that is new starts with every day. */
export const everyArgument: Argument<keyof typeof everies> = {
  label: 'How often',
  example: 'daily',
  control: choiceOf(everies),
  required: true,
  initial: 'daily',
  schema: wordOf(everies, 'Say how often: daily, weekdays, weekly, monthly or cron'),
};

const whatArgument = optionalArgument(
  {
    label: 'What',
    example: 'fleet',
    flag: 'what',
    hint: 'fleet, or vps: the one that --about names. The fleet unless that is given.',
    fieldHint: '',
    control: choiceOf(whats),
    initial: 'fleet',
  },
  wordOf(whats, 'It tells of the fleet, or of one vps'),
);

/** What a report is planned by. */
export const planArguments = {
  every: everyArgument,
  days: optionalArgument(
    {
      label: 'Days of the week',
      example: '"mon thu"',
      flag: 'days',
      hint: 'For weekly: mon thu, or mon-fri. Monday unless given.',
      fieldHint: 'As in mon thu, or mon-fri. Monday unless given.',
      meantFor: { argument: 'every', choices: ['weekly'] },
    },
    text,
  ),
  day: optionalArgument(
    {
      label: 'Day of the month',
      example: '31',
      flag: 'day',
      hint: 'For monthly: 1 to 31, which is the last day of a shorter month. The first unless given.',
      fieldHint: '1 to 31, which is the last day of a shorter month. The first unless given.',
      meantFor: { argument: 'every', choices: ['monthly'] },
    },
    text,
  ),
  cron: askedFor(
    optionalArgument(
      {
        label: 'Cron expression',
        example: '"0 9 * * 1-5"',
        flag: 'cron',
        hint: 'For cron: minute, hour, day, month, weekday.',
        fieldHint: 'Minute, hour, day, month, weekday.',
        meantFor: { argument: 'every', choices: ['cron'] },
      },
      text,
    ),
  ),
  at: optionalArgument(
    {
      label: 'At',
      example: '09:00',
      hint: 'Hours and minutes; 09:00 unless given.',
      initial: '09:00',
      meantFor: { argument: 'every', choices: ['daily', 'weekdays', 'weekly', 'monthly'] },
    },
    timeOfDay,
  ),
  zone: optionalArgument(
    {
      label: 'Time zone',
      example: 'Europe/Berlin',
      flag: 'zone',
      hint: 'Yours, from your profile in Slack, unless given.',
    },
    zone,
  ),
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where it is posted. Typed in a channel, that one unless given.',
    fieldHint: 'Where it is posted.',
  }),
  what: whatArgument,
  vps: { ...vpsPatternArgument, meantFor: { argument: 'what', choices: ['fleet'] } },
  about: askedFor({ ...aboutArgument, meantFor: { argument: 'what', choices: ['vps'] } }),
  post: optionalArgument(
    {
      label: 'Posted',
      example: 'standout',
      flag: 'post',
      written: 'when',
      hint: 'always; standout: only when something stands out; change: only when that is not what stood out before.',
      fieldHint: 'What could not be read is told in any case.',
      control: choiceOf(posts),
      initial: 'always',
    },
    wordOf(posts, 'It is posted always, on standout, or on change'),
  ),
  thresholds: optionalArgument(
    {
      label: 'What stands out',
      example: `"${exampleThresholds}"`,
      flag: 'thresholds',
      written: 'thresholds',
      control: { kind: 'text', isLong: true },
      hint: 'From these figures on. What you leave out stays as it is; off leaves one alone, as in memory off.',
      initial: writeThresholds(summarySettings.parse({})),
    },
    thresholds,
  ),
  quiet: optionalArgument(
    {
      label: 'Quiet times',
      example: '"22:00-07:00 mon-fri"',
      flag: 'quiet',
      hint: 'No report comes then: 22:00-07:00, or sat sun.',
    },
    text,
  ),
  name: optionalArgument(
    { label: 'Name', example: '"Fleet, daily"', flag: 'name', hint: 'What the report is called.' },
    reportName,
  ),
} as const;

export type PlanInput = InputOf<typeof planArguments>;

/** The arguments that say when a report comes. */
export const scheduleArguments = ['every', 'days', 'day', 'cron', 'at', 'zone', 'quiet'] as const;
