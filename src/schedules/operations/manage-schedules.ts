import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import { optionalArgument } from '../../operations/define/arguments/optional-argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import { nextTimeFacts, scheduleSteps } from '../format-schedule.ts';
import type { Schedule } from '../schedule.ts';
import type { ScheduleStore } from '../schedule-store.ts';
import { toInput } from './add-schedule.ts';
import { requireManageable } from './schedule-access.ts';
import { scheduleArgument } from './schedule-arguments.ts';

interface ManageSchedulesDependencies {
  readonly store: ScheduleStore;
  readonly schedules: ChoiceSource;
  readonly scheduleJob: (schedule: Schedule) => Promise<void>;
  readonly now: () => number;
}

const changedMessage = 'Someone else has just changed this schedule. Look at it again.';

export function createManageScheduleOperations(
  dependencies: ManageSchedulesDependencies,
): readonly Operation[] {
  const { store, schedules, scheduleJob, now } = dependencies;
  // `requireManageable` checks the rights on the schedule's VPS.
  const shared = {
    arguments: { name: scheduleArgument(schedules) },
    right: null,
    isLoggedAsChange: () => true,
    target: ({ name }: { readonly name: string }) => name,
  };

  return [
    defineLocal({
      ...shared,
      name: 'schedule pause',
      heading: 'Pause a schedule',
      summary: 'Pause a schedule',
      button: 'Pause',
      async run(context, { name }) {
        const schedule = await requireManageable(store, context, name);
        if (schedule.state !== 'active')
          throw new RackhandError('input_invalid', `Schedule "${name}" isn't active.`);
        if (!(await store.pause(schedule.id, context.actor.userId)))
          throw new RackhandError('input_invalid', changedMessage);
        return {
          title: `Schedule "${name}" is paused`,
          notes: schedule.occurrence ? ['What has already begun is finished.'] : [],
          next: scheduleSteps({ name, state: 'paused' }),
        };
      },
    }),

    defineLocal({
      ...shared,
      name: 'schedule resume',
      heading: 'Resume a schedule',
      summary: 'Resume a paused schedule',
      button: 'Resume',
      async run(context, { name }) {
        const schedule = await requireManageable(store, context, name);
        if (schedule.state !== 'paused')
          throw new RackhandError('input_invalid', `Schedule "${name}" isn't paused.`);
        if (schedule.pausedReason !== 'person')
          throw new RackhandError(
            'input_invalid',
            'Rackhand paused this schedule because the right or the approval that it needs is gone. Schedule it again.',
          );
        if (schedule.timing.kind === 'once' && schedule.timing.atMs <= now())
          throw new RackhandError('input_invalid', 'Its time has passed. Schedule it again.');
        if (!(await store.resume(schedule, now()))) throw new RackhandError('input_invalid', changedMessage);
        await scheduleJob(schedule);
        return {
          title: `Schedule "${name}" is active again`,
          facts: nextTimeFacts(schedule.timing, now()),
          next: scheduleSteps({ name, state: 'active' }),
        };
      },
    }),

    defineLocal({
      ...shared,
      name: 'schedule delete',
      heading: 'Delete a schedule',
      summary: 'Delete a schedule. What it has done is not undone',
      button: 'Delete',
      async run(context, { name }) {
        const schedule = await requireManageable(store, context, name);
        if (!(await store.delete(schedule.id))) throw new RackhandError('input_invalid', changedMessage);
        return {
          title: `Schedule "${name}" was deleted`,
          notes: schedule.keep
            ? ['The snapshots that it took stay. Rackhand deletes none of them anymore.']
            : [],
          next: [
            { label: 'Schedule Again', operation: 'schedule', input: toInput(schedule), opensForm: true },
            { label: 'Schedules', operation: 'schedule list', input: {} },
          ],
        };
      },
    }),

    defineLocal({
      ...shared,
      name: 'schedule skip',
      heading: 'Skip the next time',
      summary: 'Skip the next time of a schedule',
      arguments: {
        ...shared.arguments,
        time: optionalArgument(
          {
            label: 'Time',
            example: '1795488000000',
            flag: 'time',
            hint: 'The time on the Skip button. Default: the next one.',
          },
          z
            .string()
            .trim()
            .regex(/^\d{1,15}$/, { error: 'Give the time of the button' })
            .transform(Number),
        ),
      },
      button: 'Skip',
      async run(context, { name, time }) {
        const schedule = await requireManageable(store, context, name);
        const { nextMs, state } = schedule;
        if (state !== 'active' || nextMs === null || (time !== undefined && time !== nextMs))
          throw new RackhandError('input_invalid', 'This time has already begun, or is no longer scheduled.');
        if (!(await store.skip(schedule.id, nextMs, context.actor.userId)))
          throw new RackhandError('input_invalid', 'This time is already skipped, or has already begun.');
        return {
          title: `Skipped: ${schedule.act.title}`,
          facts: [{ label: 'Skipped', value: { kind: 'time', timeMs: nextMs } }],
          next: [{ label: 'Show Schedule', operation: 'schedule show', input: { name } }],
        };
      },
    }),
  ];
}
