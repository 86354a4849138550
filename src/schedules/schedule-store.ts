import { sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import { wasUpdated } from '../db/was-updated.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import type { PauseReason } from '../plans/pause-reason.ts';
import { createPlanStore, type PlanStoreOptions } from '../plans/plan-store.ts';
import { nextTimeAfter } from '../time/timetable.ts';
import {
  type LastResult,
  type Occurrence,
  type Schedule,
  type SchedulePlan,
  scheduleKind,
} from './schedule.ts';

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

/**
 * A change with a `token` is made only while this token belongs to the current claim of the schedule's
 * job. It returns whether it was made.
 */
export function createScheduleStore(db: Database, options?: PlanStoreOptions<Schedule>) {
  const plans = createPlanStore(db, scheduleKind, options);
  const { updateClaimed } = plans;
  const nextVersion = sql<number>`version + 1`;

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
     * Replaces the plan and, if it was decided again, by whom and when. Throws `input_invalid` if the
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

    /** Pauses a schedule that can't go on, unless someone has changed it since it was read. */
    pauseClaimed(
      { id, version }: Schedule,
      token: string,
      reason: PauseReason,
      nowMs: number,
    ): Promise<boolean> {
      const paused = { state: 'paused', state_at: nowMs, paused_reason: reason, paused_by: null } as const;
      return wasUpdated(
        updateClaimed(id, token, { ...paused, version: nextVersion })
          .where('version', '=', version)
          .where('state', 'in', ['active', 'approval']),
      );
    },

    /**
     * Begins an occurrence of an active schedule, unless it is skipped, and sets the schedule's
     * next time.
     */
    begin({ id, timing, version }: Schedule, token: string, occurrence: Occurrence): Promise<boolean> {
      const { dueMs } = occurrence;
      return wasUpdated(
        updateClaimed(id, token, {
          occurrence: JSON.stringify(occurrence),
          next_at: nextTimeAfter(timing, dueMs) ?? null,
          version: nextVersion,
        })
          .where('version', '=', version)
          .where('state', '=', 'active')
          .where('next_at', '=', dueMs)
          .where((row) => row.or([row('skipped_at', 'is', null), row('skipped_at', '!=', dueMs)]))
          .where('occurrence', 'is', null),
      );
    },

    saveOccurrence: (id: string, token: string, occurrence: Occurrence): Promise<boolean> =>
      wasUpdated(updateClaimed(id, token, { occurrence: JSON.stringify(occurrence) })),

    /**
     * Ends an occurrence that was executed, skipped or missed. Without a next time, the schedule
     * ends too. Returns false if someone else has changed the schedule since it was read.
     */
    finish(
      { id, version, state: { kind: state } }: Schedule,
      token: string,
      lastResult: LastResult,
      nextMs: number | null,
      nowMs: number,
    ): Promise<boolean> {
      const ends = nextMs === null && (state === 'active' || state === 'paused');
      return db.transaction().execute(async (transaction) => {
        const values = {
          occurrence: null,
          progress: JSON.stringify({ lastResult }),
          ...(state === 'active' && { next_at: nextMs }),
          ...(ends && { next_at: null, state: 'ended' as const, state_at: nowMs }),
          version: nextVersion,
        };
        const isFinished = await wasUpdated(
          updateClaimed(id, token, values, transaction).where('version', '=', version),
        );
        if (isFinished) await transaction.deleteFrom('schedule_lock').where('schedule_id', '=', id).execute();
        return isFinished;
      });
    },

    /**
     * Locks a VPS for a schedule. Returns the ID of the schedule that holds the lock, which can be
     * another one. The lock of a schedule whose occurrence has ended is taken over.
     */
    async lock({ id, teamId }: Schedule, vps: string): Promise<string> {
      await db
        .insertInto('schedule_lock')
        .values({ team_id: teamId, vps, schedule_id: id })
        .onConflict((conflict) =>
          conflict
            .columns(['team_id', 'vps'])
            .doUpdateSet({ schedule_id: id })
            .where((row) =>
              row.not(
                row.exists(
                  row
                    .selectFrom('plan')
                    .select('plan.id')
                    .whereRef('plan.id', '=', 'schedule_lock.schedule_id')
                    .where('plan.occurrence', 'is not', null),
                ),
              ),
            ),
        )
        .execute();
      const held = await db
        .selectFrom('schedule_lock')
        .select('schedule_id')
        .where('team_id', '=', teamId)
        .where('vps', '=', vps)
        .executeTakeFirst();
      return held?.schedule_id ?? '';
    },

    async unlock(id: string, vps: string): Promise<void> {
      await db.deleteFrom('schedule_lock').where('schedule_id', '=', id).where('vps', '=', vps).execute();
    },
  };
}
