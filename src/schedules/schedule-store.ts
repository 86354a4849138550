import type { Database } from '../db/engines/database.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { createPlanStore, type PlanStoreOptions } from '../plans/plan-store.ts';
import { nextTimeAfter } from '../time/timetable.ts';
import { type Schedule, type SchedulePlan, scheduleKind } from './schedule.ts';

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

export function createScheduleStore(db: Database, options?: PlanStoreOptions<Schedule>) {
  const plans = createPlanStore(db, scheduleKind, options);

  return {
    ...plans,

    /** Adds a schedule. Throws `input_invalid` if the name is taken. */
    add: (actor: Actor, plan: SchedulePlan, state: 'active' | 'approval', nowMs: number) =>
      plans.add(actor, { ...plan, approval: null }, nowMs, state),

    /**
     * Activates a schedule that waits for approval, and stores the targets that were approved. A change
     * that needs no new decision, such as a new name, doesn't lose the approval.
     */
    async approve(
      { id, createdMs }: Schedule,
      by: string,
      targets: readonly string[],
      nowMs: number,
    ): Promise<Schedule | undefined> {
      for (;;) {
        const schedule = await plans.get(id);
        if (schedule?.state.kind !== 'approval' || schedule.createdMs !== createdMs) return undefined;
        const approval = { by, targets: [...targets] };
        const approved = await plans.edit(schedule, { ...schedule, approval }, nowMs, {
          state: 'active',
          state_at: nowMs,
          next_at: nextTimeAfter(schedule.timing, nowMs) ?? null,
        });
        if (approved) return approved;
      }
    },

    /**
     * Replaces the plan and, if it was decided again, records who decided it and when. Throws
     * `input_invalid` if the name is taken.
     */
    edit(schedule: Schedule, edited: Schedule, nowMs: number): Promise<Schedule | undefined> {
      const { createdBy, createdMs, nextMs, state } = edited;
      const decided = { created_by: createdBy, created_at: createdMs, next_at: nextMs, state: state.kind };
      const unpaused = { state_at: nowMs, paused_reason: null, paused_by: null };
      return plans.edit(schedule, edited, nowMs, {
        ...(createdMs !== schedule.createdMs && decided),
        ...(state.kind !== schedule.state.kind && unpaused),
      });
    },
  };
}
