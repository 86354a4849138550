import { z } from 'zod';
import { whenArgument, zoneArgument } from '../../monitoring/shared/when-arguments.ts';
import { channelArgument, type InputOf, textArgument } from '../../operations/define/arguments/argument.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import { durationSchema } from '../../operations/grammar/duration.ts';
import { planNameSchema } from '../../plans/plan-arguments.ts';
import { hourMs } from '../../time/units.ts';
import { type KeepRule, parseKeepRule } from '../retention/keep-rule.ts';

const maxTextChars = 500;

function line(error: string) {
  return z
    .string({ error })
    .trim()
    .min(1, { error })
    .max(maxTextChars, { error: `Use at most ${maxTextChars} characters` });
}

const keep = z.string().transform((text, context): KeepRule => {
  const rule = parseKeepRule(text);
  if (rule) return rule;
  context.addIssue({
    code: 'custom',
    message: 'Say how many to keep, such as 7d,4w,6m (days, weeks, months)',
  });
  return z.NEVER;
});

export const scheduleArguments = {
  act: textArgument(
    {
      label: 'What',
      example: 'reboot web-01',
      valueName: 'command',
      hint: 'A command that changes something, without /vps. Put it in quotes if it has options.',
    },
    line('Say what to do, such as reboot web-01'),
  ),
  when: whenArgument('point'),
  keep: optionalArgument(
    {
      label: 'Keep',
      example: '7d,4w,6m',
      flag: 'keep',
      hint: 'For snapshots: the last one of each of 7 days, 4 weeks, 6 months. Others that this schedule took are deleted.',
    },
    keep,
  ),
  announce: optionalArgument(
    {
      label: 'Announce before',
      example: '10m',
      flag: 'announce',
      hint: 'How long before each run to announce it, with a Skip button. Default: 10m. 0m for never.',
    },
    durationSchema(0, 24 * hourMs),
  ),
  zone: zoneArgument,
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where to post announcements and results. Default: the current channel.',
  }),
  name: optionalArgument(
    {
      label: 'Name',
      example: 'nightly',
      flag: 'name',
      hint: 'Default: the change and its VPS, such as reboot web-01.',
    },
    planNameSchema('schedule'),
  ),
  confirm: {
    ...optionalArgument(
      {
        label: 'Confirm',
        example: 'k3xQ',
        flag: 'confirm',
        hint: 'Set by the confirmation button.',
      },
      z.string(),
    ),
    isSetByButtons: true,
  },
} as const;

export type ScheduleInput = InputOf<typeof scheduleArguments>;
