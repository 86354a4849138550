import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder, Updateable } from 'kysely';
import { deletedState } from '../db/deleted-state.ts';
import type { Database } from '../db/engines/database.ts';
import { createNameList } from '../db/name-list.ts';
import { createRowReader } from '../db/row-reader.ts';
import type { ScheduleTable } from '../db/schema/schedule-tables.ts';
import type { Schema } from '../db/schema/schema.ts';
import { wasUpdated } from '../db/was-updated.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { nextTimeAfter } from '../time/timetable.ts';
import {
  type LastResult,
  type Occurrence,
  type PauseReason,
  type Schedule,
  type SchedulePlan,
  toSchedule,
} from './schedule.ts';

export type ScheduleStore = ReturnType<typeof createScheduleStore>;

/**
 * Each change of state is a compare-and-set that returns whether the change was made. A change with
 * a `token` is made only while this token belongs to the current claim of the schedule's job.
 */
export function createScheduleStore(db: Database, jobKind: string, rowReader = createRowReader()) {
  const { read, readAll } = rowReader.forTable({
    table: 'schedule',
    noun: 'schedule',
    toValue: toSchedule,
    toId: ({ id }) => id,
  });
  const living = () => db.selectFrom('schedule').selectAll().where('state', '!=', deletedState);
  const update = (id: string, values: Updateable<ScheduleTable>) =>
    db.updateTable('schedule').set(values).where('id', '=', id);
  /** Matches while `token` belongs to the current claim of the schedule's job. */
  const isClaimedWith = (token: string) => (row: ExpressionBuilder<Schema, 'schedule'>) =>
    row.exists(
      row
        .selectFrom('job')
        .select('job.id')
        .where('job.kind', '=', jobKind)
        .whereRef('job.id', '=', 'schedule.id')
        .where('job.claim_token', '=', token),
    );
  const updateClaimed = (id: string, token: string, values: Updateable<ScheduleTable>) =>
    update(id, values).where(isClaimedWith(token));

  return {
    /** Returns the new schedule, or undefined if the name is taken. */
    async add(
      { teamId, userId }: Actor,
      plan: SchedulePlan,
      state: 'active' | 'approval',
      nowMs: number,
    ): Promise<Schedule | undefined> {
      const row = await db
        .insertInto('schedule')
        .values({
          id: randomUUID(),
          team_id: teamId,
          name: plan.name,
          channel: plan.channel,
          created_by: userId,
          created_at: nowMs,
          act: JSON.stringify(plan.act),
          timing: JSON.stringify(plan.timing),
          keep: plan.keep && JSON.stringify(plan.keep),
          announce_ms: plan.announceMs,
          state,
          next_at: nextTimeAfter(plan.timing, nowMs) ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && read(row);
    },

    /** Returns the schedules of a workspace, sorted by name. Deleted schedules are left out. */
    async list(teamId: string): Promise<readonly Schedule[]> {
      const rows = await living().where('team_id', '=', teamId).orderBy('name').execute();
      return readAll(rows);
    },

    listNames: createNameList(db, 'schedule'),

    async find(teamId: string, name: string): Promise<Schedule | undefined> {
      const row = await living().where('team_id', '=', teamId).where('name', '=', name).executeTakeFirst();
      return row && read(row);
    },

    /** Returns a schedule by ID, even if it was deleted. */
    async get(id: string): Promise<Schedule | undefined> {
      const row = await db.selectFrom('schedule').selectAll().where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },

    /** Lists the schedules that have a next or running occurrence but no job. */
    async listWithoutJob(): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
      const rows = await db
        .selectFrom('schedule')
        .select(['id', 'team_id'])
        .where((row) =>
          row.or([
            row.and([row('state', 'in', ['active', 'approval']), row('next_at', 'is not', null)]),
            row('occurrence', 'is not', null),
          ]),
        )
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('job')
                .select('job.id')
                .where('job.kind', '=', jobKind)
                .whereRef('job.id', '=', 'schedule.id'),
            ),
          ),
        )
        .execute();
      return rows.map(({ id, team_id }) => ({ id, teamId: team_id }));
    },

    /** Activates a schedule that waits for approval, and stores the targets that were approved. */
    async approve(
      { id, timing, createdMs }: Schedule,
      by: string,
      targets: readonly string[],
      nowMs: number,
    ): Promise<boolean> {
      const approval = JSON.stringify({ by, targets });
      const next_at = nextTimeAfter(timing, nowMs) ?? null;
      return wasUpdated(
        update(id, { state: 'active', approval, next_at })
          .where('state', '=', 'approval')
          .where('created_at', '=', createdMs),
      );
    },

    /**
     * Replaces the plan, and who decided it when. Returns false if the schedule was changed since it was read, is at
     * work, or if the name is taken.
     */
    async edit({ id, createdMs, state }: Schedule, edited: Schedule): Promise<boolean> {
      const isPaused = edited.state === 'paused';
      return wasUpdated(
        update(id, {
          name: edited.name,
          channel: edited.channel,
          act: JSON.stringify(edited.act),
          timing: JSON.stringify(edited.timing),
          keep: edited.keep && JSON.stringify(edited.keep),
          announce_ms: edited.announceMs,
          created_by: edited.createdBy,
          created_at: edited.createdMs,
          state: edited.state,
          approval: edited.approval && JSON.stringify(edited.approval),
          next_at: edited.nextMs,
          ...(!isPaused && { paused_reason: null, paused_by: null }),
        })
          .where('created_at', '=', createdMs)
          .where('state', '=', state)
          .where('occurrence', 'is', null)
          .where((row) =>
            row.not(
              row.exists(
                row
                  .selectFrom('schedule as other')
                  .select('other.id')
                  .where('other.team_id', '=', edited.teamId)
                  .where('other.name', '=', edited.name)
                  .where('other.id', '!=', id)
                  .where('other.state', '!=', deletedState),
              ),
            ),
          ),
      );
    },

    /** Makes a schedule wait for a new approval. */
    async awaitApproval(id: string): Promise<boolean> {
      const values = { state: 'approval', approval: null } as const;
      return wasUpdated(update(id, values).where('state', 'in', ['active', 'paused']));
    },

    async pause(id: string, byUserId: string): Promise<boolean> {
      const values = { state: 'paused', paused_reason: 'person', paused_by: byUserId } as const;
      return wasUpdated(update(id, values).where('state', 'in', ['active', 'approval']));
    },

    /** Pauses a schedule that can't go on. */
    async pauseClaimed(id: string, token: string, reason: PauseReason): Promise<boolean> {
      const values = { state: 'paused', paused_reason: reason, paused_by: null } as const;
      return wasUpdated(updateClaimed(id, token, values).where('state', 'in', ['active', 'approval']));
    },

    /** Resumes a paused schedule at its next time. Times missed during the pause are skipped. */
    async resume({ id, timing }: Schedule, nowMs: number): Promise<boolean> {
      const unpaused = {
        paused_reason: null,
        paused_by: null,
        next_at: nextTimeAfter(timing, nowMs) ?? null,
      };
      return wasUpdated(update(id, { state: 'active', ...unpaused }).where('state', '=', 'paused'));
    },

    async delete(id: string): Promise<boolean> {
      return wasUpdated(update(id, { state: 'deleted', next_at: null }).where('state', '!=', deletedState));
    },

    /** Skips the next occurrence, unless it has begun. */
    async skip(id: string, dueMs: number, byUserId: string): Promise<boolean> {
      return wasUpdated(
        update(id, { skipped_at: dueMs, skipped_by: byUserId })
          .where('state', '=', 'active')
          .where('next_at', '=', dueMs)
          .where((row) => row.or([row('skipped_at', 'is', null), row('skipped_at', '!=', dueMs)])),
      );
    },

    /**
     * Begins an occurrence of an active schedule, unless it is skipped, and sets the schedule's
     * next time.
     */
    async begin({ id, timing }: Schedule, token: string, occurrence: Occurrence): Promise<boolean> {
      const { dueMs } = occurrence;
      const values = {
        occurrence: JSON.stringify(occurrence),
        next_at: nextTimeAfter(timing, dueMs) ?? null,
      };
      return wasUpdated(
        updateClaimed(id, token, values)
          .where('state', '=', 'active')
          .where('next_at', '=', dueMs)
          .where((row) => row.or([row('skipped_at', 'is', null), row('skipped_at', '!=', dueMs)]))
          .where('occurrence', 'is', null),
      );
    },

    async saveOccurrence(id: string, token: string, occurrence: Occurrence): Promise<boolean> {
      return wasUpdated(updateClaimed(id, token, { occurrence: JSON.stringify(occurrence) }));
    },

    /** Returns whether the job of a schedule is still claimed with `token`. */
    async isClaimed(id: string, token: string): Promise<boolean> {
      const row = await db
        .selectFrom('schedule')
        .select('id')
        .where('id', '=', id)
        .where(isClaimedWith(token))
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * Ends an occurrence that was executed, skipped or missed. Without a next time, the schedule
     * ends too.
     */
    async finish(
      { id }: Schedule,
      token: string,
      result: LastResult,
      nextMs: number | null,
    ): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const last_result = JSON.stringify(result);
        const isFinished = await wasUpdated(
          transaction
            .updateTable('schedule')
            .set({ occurrence: null, last_result })
            .where('id', '=', id)
            .where(isClaimedWith(token)),
        );
        if (!isFinished) return false;
        await transaction.deleteFrom('schedule_lock').where('schedule_id', '=', id).execute();
        await transaction
          .updateTable('schedule')
          .set(nextMs === null ? { next_at: null, state: 'ended' } : { next_at: nextMs })
          .where('id', '=', id)
          .where('state', 'in', nextMs === null ? ['active', 'paused'] : ['active'])
          .execute();
        return true;
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
                    .selectFrom('schedule')
                    .select('schedule.id')
                    .whereRef('schedule.id', '=', 'schedule_lock.schedule_id')
                    .where('schedule.occurrence', 'is not', null),
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
