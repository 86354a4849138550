import { RackhandError } from '../../errors.ts';
import { whenPreview } from '../../monitoring/shared/when-arguments.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import type { Operation } from '../../operations/define/operation.ts';
import { formatPauseReason } from '../../plans/plan.ts';
import {
  applyChanges,
  createEditArguments,
  type EditArgumentsOf,
  planArgument,
} from '../../plans/plan-arguments.ts';
import { createPlanOperations } from '../../plans/plan-operations.ts';
import { formatNext } from '../../plans/plan-words.ts';
import { formatWhen } from '../../time/format-when.ts';
import { nextTimeFacts, planFacts, toInput } from '../format-schedule.ts';
import type { Schedule } from '../schedule.ts';
import type { ScheduleStore } from '../schedule-store.ts';
import type { EditedSchedule, EditSchedule } from './edit-schedule.ts';
import { assertManageable, filterVisible } from './schedule-access.ts';
import { scheduleArguments } from './schedule-arguments.ts';

interface ScheduleVerbsDependencies {
  readonly store: ScheduleStore;
  readonly schedules: ChoiceSource;
  readonly editSchedule: EditSchedule;
  readonly now: () => number;
}

export function createScheduleVerbs(dependencies: ScheduleVerbsDependencies): readonly Operation[] {
  const { store, schedules, editSchedule, now } = dependencies;

  const nameArgument = planArgument('schedule', 'nightly', schedules);

  return createPlanOperations<Schedule, EditArgumentsOf<typeof scheduleArguments>, EditedSchedule>({
    kind: 'schedule',
    store,
    nameArgument,
    // People see their own schedules and those on VPS that they can view.
    rights: { view: null, change: null },
    filterVisible,
    authorize: assertManageable,
    now,
    list: {
      columns: ['What', 'Next', 'When', 'Last time'],
      format: async () => (schedule) => ({
        cells: [
          schedule.act.title,
          formatNext(schedule),
          formatWhen(schedule.timing),
          schedule.lastResult?.text ?? '–',
        ],
      }),
    },
    async show(schedule) {
      const { state, nextMs, skippedMs, lastResult, createdBy, createdMs, approval } = schedule;
      const isActive = state.kind === 'active';
      return {
        facts: [
          ...planFacts(schedule),
          ...(isActive && nextMs !== null
            ? [{ label: 'Next', value: { kind: 'time', timeMs: nextMs } as const }]
            : []),
          ...(isActive && nextMs !== null && skippedMs === nextMs
            ? [{ label: 'Skipped', value: 'next run' }]
            : []),
          ...(isActive ? nextTimeFacts(schedule.timing, now()) : []),
          ...(lastResult
            ? [
                { label: 'Last time', value: { kind: 'time', timeMs: lastResult.dueMs } as const },
                { label: 'Last result', value: lastResult.text },
              ]
            : []),
          { label: 'Scheduled by', value: { kind: 'person', person: createdBy } },
          { label: 'Scheduled', value: { kind: 'time', timeMs: createdMs } },
          ...(approval
            ? [{ label: 'Approved by', value: { kind: 'person', person: approval.by } as const }]
            : []),
        ],
        notes: state.kind === 'paused' ? [formatPauseReason(state.reason, 'schedule')] : [],
      };
    },
    stopNotes({ occurrence, keep }, how) {
      if (how === 'paused') return occurrence ? ['A run that has already begun will still finish.'] : [];
      return keep ? ["The schedule's snapshots are kept. Rackhand no longer deletes any of them."] : [];
    },
    async beforeResume({ state }) {
      if (state.kind === 'paused' && state.reason !== 'person')
        throw new RackhandError(
          'input_invalid',
          'Rackhand paused this schedule because the right or the approval that it needs is gone. Edit it, or schedule it again.',
        );
    },
    afterResume: async ({ timing }) => nextTimeFacts(timing, now()),
    toPlanInput: toInput,
    edit: {
      summary: 'Change the command, time, retention, channel or name of a schedule',
      arguments: createEditArguments(nameArgument, scheduleArguments, { act: 'command', when: 'when' }),
      preview: whenPreview(now),
      makePlan: (context, changes, schedule) =>
        editSchedule.makePlan(context, applyChanges(scheduleArguments, toInput(schedule), changes), schedule),
      save: (schedule, planned, context, { confirm }, once) =>
        editSchedule.save(schedule, planned, context, confirm ?? undefined, once),
    },
  });
}
