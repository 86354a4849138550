import { z } from 'zod';
import { parseTimeZone } from '../../monitoring/shared/time/time-zone.ts';
import {
  type Argument,
  channelArgument,
  type InputOf,
  textArgument,
} from '../../operations/define/arguments/argument.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import { durationSchema } from '../../operations/grammar/duration.ts';
import { hourMs } from '../../time/units.ts';
import { type KeepRule, parseKeepRule } from '../retention/keep-rule.ts';

const maxNameChars = 60;
const maxTextChars = 500;

const scheduleName = z
  .string({ error: 'Name the schedule' })
  .trim()
  .transform((name) => name.replace(/\s+/g, ' '))
  .pipe(
    z
      .string()
      .min(1, { error: 'Name the schedule' })
      .max(maxNameChars, { error: `Use at most ${maxNameChars} characters` }),
  );

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

const zone = z.string().transform((text, context) => {
  const parsed = parseTimeZone(text.trim());
  if (parsed !== undefined) return parsed;
  context.addIssue({ code: 'custom', message: `Unknown time zone "${text}", such as Europe/Berlin` });
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
  when: textArgument(
    {
      label: 'When',
      example: '"tomorrow 03:00"',
      hint: 'tomorrow 03:00, sat 04:00, 2026-12-01 03:00; recurring: daily 02:00, every mon thu 02:00, monthly 1 02:00.',
    },
    line('Say when, such as "tomorrow 03:00" or daily 02:00'),
  ),
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
      hint: 'Announced this long before, with a Skip button. 0m: not announced. Default: 10m.',
    },
    durationSchema(0, 24 * hourMs),
  ),
  zone: optionalArgument(
    { label: 'Time zone', example: 'Europe/Berlin', flag: 'zone', hint: 'Default: yours.' },
    zone,
  ),
  channel: channelArgument({
    label: 'Channel',
    example: '#ops',
    flag: 'channel',
    hint: 'Where it is announced and reported. Default: the current channel.',
  }),
  name: optionalArgument(
    { label: 'Name', example: 'nightly', flag: 'name', hint: 'The name of the schedule.' },
    scheduleName,
  ),
  confirm: optionalArgument(
    {
      label: 'Confirm',
      example: 'web-01',
      flag: 'confirm',
      hint: 'Only if the card asks for it: the text that it names.',
    },
    z
      .string()
      .trim()
      .max(maxTextChars, { error: `Use at most ${maxTextChars} characters` }),
  ),
} as const;

export type ScheduleInput = InputOf<typeof scheduleArguments>;

/** Selects a schedule by name. */
export function scheduleArgument(source: ChoiceSource): Argument<string> {
  return {
    label: 'Schedule',
    example: 'nightly',
    valueName: 'name',
    takesRemainingWords: true,
    control: { kind: 'remote', source },
    required: true,
    schema: scheduleName,
  };
}
