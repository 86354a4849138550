import { z } from 'zod';
import type { Argument, InputOf } from '../../../operations/define/arguments/argument.ts';
import { channelArgument } from '../../../operations/define/arguments/argument.ts';
import { keywordControl, keywordSchema } from '../../../operations/define/arguments/keyword.ts';
import { optionalArgument, requiredInForm } from '../../../operations/define/arguments/optional-argument.ts';
import { monitorNameSchema } from '../../shared/monitor/monitor-arguments.ts';
import { parseTimeOfDay } from '../../shared/time/time-of-day.ts';
import { timeZoneSchema } from '../../shared/time/time-zone.ts';
import { defaultSummarySettings } from '../findings/summary-settings.ts';
import { parseThresholds, thresholdsExample, toThresholdsInput } from '../findings/thresholds.ts';
import { aboutArgument, reportVpsArgument } from './report-arguments.ts';

const everyTexts = {
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week',
  monthly: 'Every month',
  cron: 'By cron expression',
} as const;

const whatTexts = { fleet: 'A summary of the fleet', vps: 'One VPS in depth' } as const;

const postTexts = {
  always: 'Always',
  findings: 'When there are findings',
  change: 'When the findings have changed',
} as const;

/** Longer than any meaningful input. */
const maxChars = 400;

const text = z
  .string()
  .trim()
  .max(maxChars, { error: `Use at most ${maxChars} characters` });

/** Matches five or more words, which are probably a cron expression instead of a time. */
const cronLike = /^\S+(?:\s+\S+){4,}$/;

const timeOfDay = text.superRefine((written, context) => {
  if (parseTimeOfDay(written) !== undefined) return;
  const message = cronLike.test(written)
    ? `Use --cron for a cron expression, such as --cron "${written}"`
    : 'Give a time from 00:00 to 23:59, such as 09:00';
  context.addIssue({ code: 'custom', message });
});

const thresholds = text.superRefine((written, context) => {
  const read = parseThresholds(written, defaultSummarySettings);
  if (read.kind === 'invalid') context.addIssue({ code: 'custom', message: read.problem });
});

/** The kind of recurrence. A new form starts with every day. */
export const everyArgument: Argument<keyof typeof everyTexts> = {
  label: 'How often',
  example: 'daily',
  control: keywordControl(everyTexts),
  required: true,
  initial: 'daily',
  schema: keywordSchema(everyTexts, 'Choose how often: daily, weekdays, weekly, monthly or cron'),
};

const whatArgument = optionalArgument(
  {
    label: 'What',
    example: 'fleet',
    flag: 'what',
    hint: 'fleet, or vps (with --about). Default: vps if --about is given, otherwise fleet.',
    fieldHint: '',
    control: keywordControl(whatTexts),
    initial: 'fleet',
  },
  keywordSchema(whatTexts, 'Choose fleet or vps'),
);

export const planArguments = {
  every: everyArgument,
  days: optionalArgument(
    {
      label: 'Days of the week',
      example: '"mon thu"',
      flag: 'days',
      hint: 'For weekly: mon thu, or mon-fri. Default: Monday.',
      fieldHint: 'Such as mon thu, or mon-fri. Default: Monday.',
      shownWhen: { argument: 'every', choices: ['weekly'] },
    },
    text,
  ),
  day: optionalArgument(
    {
      label: 'Day of the month',
      example: '31',
      flag: 'day',
      hint: 'For monthly: 1 to 31. In shorter months, the last day. Default: 1.',
      fieldHint: '1 to 31. In shorter months, the last day. Default: 1.',
      shownWhen: { argument: 'every', choices: ['monthly'] },
    },
    text,
  ),
  cron: requiredInForm(
    optionalArgument(
      {
        label: 'Cron expression',
        example: '"0 9 * * 1-5"',
        flag: 'cron',
        hint: 'For cron: minute, hour, day, month, weekday.',
        fieldHint: 'Minute, hour, day, month, weekday.',
        shownWhen: { argument: 'every', choices: ['cron'] },
      },
      text,
    ),
  ),
  at: optionalArgument(
    {
      label: 'At',
      example: '09:00',
      hint: 'Hours and minutes. Default: 09:00.',
      initial: '09:00',
      shownWhen: { argument: 'every', choices: ['daily', 'weekdays', 'weekly', 'monthly'] },
    },
    timeOfDay,
  ),
  zone: optionalArgument(
    {
      label: 'Time zone',
      example: 'Europe/Berlin',
      flag: 'zone',
      hint: 'Default: the time zone of your Slack profile.',
    },
    timeZoneSchema,
  ),
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where to post it. Default: the current channel.',
    fieldHint: 'Where to post it.',
  }),
  what: whatArgument,
  vps: { ...reportVpsArgument, shownWhen: { argument: 'what', choices: ['fleet'] } },
  about: requiredInForm({ ...aboutArgument, shownWhen: { argument: 'what', choices: ['vps'] } }),
  post: optionalArgument(
    {
      label: 'When to post',
      example: 'findings',
      flag: 'post',
      valueName: 'when',
      hint: 'always, findings (only if there are any), or change (only when the findings have changed).',
      fieldHint: "If something couldn't be read, the report is always posted.",
      control: keywordControl(postTexts),
      initial: 'always',
    },
    keywordSchema(postTexts, 'Choose always, findings or change'),
  ),
  thresholds: optionalArgument(
    {
      label: 'Thresholds',
      example: `"${thresholdsExample}"`,
      flag: 'thresholds',
      valueName: 'thresholds',
      control: { kind: 'text', isMultiline: true },
      hint: `Thresholds that flag a VPS. Those you leave out don't change; "memory off" disables one.`,
      initial: toThresholdsInput(defaultSummarySettings),
    },
    thresholds,
  ),
  quiet: optionalArgument(
    {
      label: 'Quiet times',
      example: '"22:00-07:00 mon-fri"',
      flag: 'quiet',
      hint: 'No reports at these times, such as 22:00-07:00 or sat sun.',
    },
    text,
  ),
  name: optionalArgument(
    { label: 'Name', example: '"Fleet, daily"', flag: 'name', hint: 'The name of the report.' },
    monitorNameSchema('report'),
  ),
} as const;

export type PlanInput = InputOf<typeof planArguments>;

/** Names of the arguments that form the schedule. */
export const scheduleArguments = ['every', 'days', 'day', 'cron', 'at', 'zone', 'quiet'] as const;
