import { z } from 'zod';
import type { Argument } from '../operations/argument.ts';
import type { FieldProblem } from '../operations/input.ts';
import type { Source } from '../operations/sources/source.ts';
import { reportArgument } from './arguments.ts';
import { planArguments } from './plan-arguments.ts';

/** What a report is edited by: its name, and what is to be another. Nothing stays as it is; `null` takes back what was given once. */
export function editArguments(reports: Source) {
  const { every, at, name, ...others } = planArguments;
  return {
    name: reportArgument(reports),
    every: changing({ ...every, flag: 'every' }),
    days: changing(others.days),
    day: changing(others.day),
    cron: changing(others.cron),
    at: changing({ ...at, flag: 'at' }),
    zone: changing(others.zone),
    channel: changing(others.channel),
    what: changing(others.what),
    vps: changing(others.vps),
    about: changing(others.about),
    post: changing(others.post),
    thresholds: changing(others.thresholds),
    quiet: changing(others.quiet),
    rename: changing({ ...name, hint: 'What it is to be called.' }),
  };
}

/** Takes what an argument takes, or nothing; text that is empty is `null`. What a new one starts with is not what an old one is. */
export function changing<T>(argument: Argument<T>): Argument<T | null | undefined> {
  const { initial: _, ...kept } = argument;
  return {
    ...kept,
    required: false,
    schema: z
      .unknown()
      .transform((given, context) => {
        if (typeof given === 'string' && given.trim() === '') return null;
        const parsed = argument.schema.safeParse(given);
        if (parsed.success) return parsed.data;
        for (const { message } of parsed.error.issues) context.addIssue({ code: 'custom', message });
        return z.NEVER;
      })
      .optional(),
  };
}

/** Gives what an argument is to be: what is not named stays; what is taken back is as if it had not been given. */
export function either<T>(change: T | null | undefined, is: T | undefined): T | undefined {
  return change === undefined ? is : (change ?? undefined);
}

/** Puts the problem of a name beside the field of the new one: the field of that name is the one that chooses what is edited. */
export function besideRename({ path, message }: FieldProblem): FieldProblem {
  return { path: path === 'name' ? 'rename' : path, message };
}
