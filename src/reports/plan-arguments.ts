import { z } from 'zod';
import type { Argument, InputOf } from '../operations/argument.ts';
import { channelArgument } from '../operations/argument.ts';
import { optionalArgument, reportName, vpsPatternArgument } from './arguments.ts';
import { readTimeOfDay } from './schedule/time-of-day.ts';
import { nearestZone, readZone } from './schedule/zone.ts';
import type { SummarySettings } from './summary/settings.ts';

const everies = ['daily', 'weekdays', 'weekly', 'monthly', 'cron'] as const;

const posts = ['always', 'standout', 'change'] as const;

/** What is typed, or chosen, for when there is something to be posted. */
export const postOf: Readonly<Record<(typeof posts)[number], SummarySettings['post']>> = {
  always: 'always',
  standout: 'standsOut',
  change: 'changed',
};

const text = z.string().trim().max(200, { error: 'This is longer than anything that could be meant' });

const timeOfDay = text.refine((written) => readTimeOfDay(written) !== undefined, {
  error: 'A time is hours and minutes from 00:00 to 23:59, as in 09:00',
});

const zone = text.superRefine((written, context) => {
  if (readZone(written)) return;
  const meant = nearestZone(written);
  const guess = meant ? `: did you mean ${meant}?` : ', such as Europe/Berlin';
  context.addIssue({ code: 'custom', message: `“${written}” is no time zone${guess}` });
});

function wordOf<Options extends readonly [string, ...string[]]>(options: Options, error: string) {
  return z.string({ error }).trim().toLowerCase().pipe(z.enum(options, { error }));
}

const every: Argument<(typeof everies)[number]> = {
  label: 'How often',
  example: 'daily',
  control: { kind: 'choice', options: everies },
  required: true,
  schema: wordOf(everies, 'Say how often: daily, weekdays, weekly, monthly or cron'),
};

/** What a report is planned by. */
export const planArguments = {
  every,
  at: optionalArgument(
    { label: 'At', example: '09:00', hint: 'Hours and minutes; 09:00 unless given.' },
    timeOfDay,
  ),
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where it is posted. Typed in a channel, that one unless given.',
  }),
  vps: vpsPatternArgument,
  post: optionalArgument(
    {
      label: 'Post',
      example: 'standout',
      flag: 'post',
      written: 'when',
      hint: 'always; standout: only when something stands out; change: only when that is not what stood out before.',
      control: { kind: 'choice', options: posts },
    },
    wordOf(posts, 'It is posted always, on standout, or on change'),
  ),
  days: optionalArgument(
    {
      label: 'Days of the week',
      example: '"mon thu"',
      flag: 'days',
      hint: 'For weekly: mon thu, or mon-fri. Monday unless given.',
    },
    text,
  ),
  day: optionalArgument(
    {
      label: 'Day of the month',
      example: '31',
      flag: 'day',
      hint: 'For monthly: 1 to 31, which is the last day of a shorter month. The first unless given.',
    },
    text,
  ),
  cron: optionalArgument(
    {
      label: 'Cron expression',
      example: '"0 9 * * 1-5"',
      flag: 'cron',
      hint: 'For cron: minute, hour, day, month, weekday.',
    },
    text,
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
  quiet: optionalArgument(
    {
      label: 'Quiet times',
      example: '"22:00-07:00 mon-fri"',
      flag: 'quiet',
      hint: 'Nothing is posted then, and the next report covers it: 22:00-07:00, or sat sun.',
    },
    text,
  ),
  name: optionalArgument(
    { label: 'Name', example: '"Fleet, daily"', flag: 'name', hint: 'What the report is called.' },
    reportName,
  ),
} as const;

export type PlanInput = InputOf<typeof planArguments>;
