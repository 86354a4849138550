import type { Database } from '../db/engines/database.ts';
import type { ScheduledSnapshotTable } from '../db/schema/scheduled-snapshot-table.ts';
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
     * Activates a schedule that waits for approval, and stores the approved targets. Changes that need no new approval,
     * such as a new name, don't prevent this.
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
     * Replaces the plan and, if it was confirmed again, its creator and creation time. Throws `input_invalid` if the
     * name is taken.
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

export interface ScheduledSnapshot {
  readonly vps: string;
  readonly name: string;
  readonly takenMs: number;
  readonly state: ScheduledSnapshotTable['state'];
}

type SnapshotKey = Pick<ScheduledSnapshot, 'vps' | 'name'>;

export type SnapshotStore = ReturnType<typeof createSnapshotStore>;

/** Creates the store of the snapshots that each schedule took. Retention deletes only these snapshots. */
export function createSnapshotStore(db: Database) {
  return {
    async add(scheduleId: string, { vps, name, takenMs, state }: ScheduledSnapshot): Promise<void> {
      await db
        .insertInto('scheduled_snapshot')
        .values({ schedule_id: scheduleId, vps, name, taken_at: takenMs, state })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Records that a snapshot is complete. */
    async setAvailable(scheduleId: string, { vps, name }: SnapshotKey): Promise<void> {
      await db
        .updateTable('scheduled_snapshot')
        .set({ state: 'available' })
        .where('schedule_id', '=', scheduleId)
        .where('vps', '=', vps)
        .where('name', '=', name)
        .execute();
    },

    /** Removes a failed or deleted snapshot, so the table doesn't grow. */
    async remove(scheduleId: string, { vps, name }: SnapshotKey): Promise<void> {
      await db
        .deleteFrom('scheduled_snapshot')
        .where('schedule_id', '=', scheduleId)
        .where('vps', '=', vps)
        .where('name', '=', name)
        .execute();
    },

    async list(scheduleId: string): Promise<readonly ScheduledSnapshot[]> {
      const rows = await db
        .selectFrom('scheduled_snapshot')
        .selectAll()
        .where('schedule_id', '=', scheduleId)
        .orderBy('taken_at')
        .execute();
      return rows.map(({ vps, name, taken_at, state }) => ({ vps, name, takenMs: taken_at, state }));
    },
  };
}
