import { z } from 'zod';
import type { InputOf } from '../../../operations/define/arguments/argument.ts';
import { channelArgument } from '../../../operations/define/arguments/argument.ts';
import { keywordControl, keywordSchema } from '../../../operations/define/arguments/keyword.ts';
import { optionalArgument, requiredInForm } from '../../../operations/define/arguments/optional-argument.ts';
import { planNameSchema } from '../../../plans/plan-name.ts';
import { whenArgument, zoneArgument } from '../../shared/when-arguments.ts';
import { defaultSummarySettings } from '../findings/summary-settings.ts';
import { parseThresholds, thresholdsExample, toThresholdsInput } from '../findings/thresholds.ts';
import { aboutArgument, reportVpsArgument } from './report-arguments.ts';

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

const thresholds = text.superRefine((written, context) => {
  const read = parseThresholds(written, defaultSummarySettings);
  if (read.kind === 'invalid') context.addIssue({ code: 'custom', message: read.problem });
});

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
  when: whenArgument('point'),
  zone: zoneArgument,
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
    planNameSchema('report'),
  ),
} as const;

export type PlanInput = InputOf<typeof planArguments>;

/** Names of the arguments that say when a report is posted. */
export const timeArguments = ['when', 'zone', 'quiet'] as const;
