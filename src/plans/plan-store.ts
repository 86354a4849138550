import { randomUUID } from 'node:crypto';
import {
  type Expression,
  type ExpressionBuilder,
  type Selectable,
  type SqlBool,
  sql,
  type UpdateObject,
} from 'kysely';
import { deletedState } from '../db/deleted-state.ts';
import type { Database } from '../db/engines/database.ts';
import { createRowReader, type RowReader } from '../db/row-reader.ts';
import type { PlanTable } from '../db/schema/plan-table.ts';
import type { Schema } from '../db/schema/schema.ts';
import { RackhandError } from '../errors.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { currentPeriod } from '../time/periods.ts';
import { nextTimeAfter } from '../time/timetable.ts';
import { type PauseReason, toPauseReason } from './pause-reason.ts';
import type { PlanKind, PlanOf, PlanState, StoredPlan } from './plan.ts';
import { describeTakenName, type TakenName } from './plan-name.ts';

/** A plan, as it was when it was read. */
type Seen = Pick<StoredPlan, 'id' | 'version'>;

/** New values of a plan's columns. */
type Changes = UpdateObject<Schema, 'plan'>;

export interface PlanStoreOptions<One> {
  /** Schedules the job of a plan that a person has added or changed. */
  readonly queue?: {
    schedule(plan: One, transaction: Database): Promise<void>;
    wake(): void;
  };
  readonly rowReader?: RowReader | undefined;
}

/** Why a plan is paused, and by whom. `byUserId` is `null` if Rackhand paused it. */
export interface Pause {
  readonly reason: PauseReason;
  readonly byUserId: string | null;
}

/**
 * Stores the plans of one kind. A change by a person is a compare-and-set on the version: it
 * resolves to the new plan, or to undefined if someone else has changed the plan since it was read.
 */
export function createPlanStore<
  Facts extends { readonly channel: string | null },
  Progress extends object,
  Occurrence,
>(
  db: Database,
  kind: PlanKind<Facts, Progress, Occurrence>,
  { queue, rowReader = createRowReader() }: PlanStoreOptions<PlanOf<Facts, Progress, Occurrence>> = {},
) {
  type One = PlanOf<Facts, Progress, Occurrence>;
  type Planned = Facts & { readonly name: string };

  const { read, readAll } = rowReader.forTable({
    table: 'plan',
    noun: kind.noun,
    toValue,
    toId: ({ id }) => id,
  });

  function toValue(row: Selectable<PlanTable>): One {
    const facts = kind.facts.parse({ ...JSON.parse(row.facts), channel: row.channel });
    return {
      id: row.id,
      teamId: row.team_id,
      name: row.name,
      createdBy: row.created_by,
      createdMs: row.created_at,
      state: toState(row),
      nextMs: row.next_at,
      skippedMs: row.skipped_at,
      skippedBy: row.skipped_by,
      version: row.version,
      ...facts,
      ...kind.progress.parse(JSON.parse(row.progress)),
      occurrence: row.occurrence === null ? null : kind.occurrence.parse(JSON.parse(row.occurrence)),
    };
  }

  function toColumns(planned: Planned) {
    const { channel, ...facts } = kind.facts.parse(planned);
    return { name: planned.name, channel, facts: JSON.stringify(facts) };
  }

  function nextAfter(facts: Facts, atMs: number): number | null {
    const when = kind.when(facts);
    const findNext = kind.findNext ?? nextTimeAfter;
    return (when && findNext(when, atMs)) ?? null;
  }

  const ofKind = (executor = db) => executor.selectFrom('plan').selectAll().where('kind', '=', kind.name);
  const living = (teamId: string, executor?: Database) =>
    ofKind(executor).where('team_id', '=', teamId).where('state', '!=', deletedState);

  /** Returns the names in use by plans of all kinds. A plan that is done gives up its name. */
  async function listTakenNames(teamId: string): Promise<readonly TakenName[]> {
    return db
      .selectFrom('plan')
      .select(['id', 'kind', 'name'])
      .where('team_id', '=', teamId)
      .where('state', 'not in', ['ended', deletedState])
      .execute();
  }

  /** Deletes the plan with this name that is done. */
  async function freeName(teamId: string, name: string, nowMs: number, executor = db, ownId = '') {
    await executor
      .updateTable('plan')
      .set({ state: 'deleted', state_at: nowMs })
      .where('team_id', '=', teamId)
      .where('name', '=', name)
      .where('id', '!=', ownId)
      .where('state', '=', 'ended')
      .execute();
  }

  /** Throws `input_invalid` if another plan of any kind has the name. */
  async function requireFreeName(teamId: string, name: string, ownId = ''): Promise<void> {
    const holder = (await listTakenNames(teamId)).find((taken) => taken.name === name);
    if (holder && holder.id !== ownId) throw nameTakenError(holder);
  }

  /** Changes a plan in the name of a person, or its state. */
  async function change(
    plan: Seen,
    values: Changes,
    transaction?: Database,
    only?: (row: ExpressionBuilder<Schema, 'plan'>) => Expression<SqlBool>,
  ): Promise<One | undefined> {
    if (queue && !transaction) {
      const changed = await db.transaction().execute((own) => change(plan, values, own, only));
      queue.wake();
      return changed;
    }
    const row = await (transaction ?? db)
      .updateTable('plan')
      .set({ ...values, version: plan.version + 1 })
      .where('id', '=', plan.id)
      .where('version', '=', plan.version)
      .where('state', '!=', deletedState)
      .where((row) => only?.(row) ?? row.lit(true))
      .returningAll()
      .executeTakeFirst();
    const changed = row && read(row);
    if (changed && transaction) await queue?.schedule(changed, transaction);
    return changed;
  }

  /** Matches while `token` belongs to the current claim of the plan's job. */
  const isClaimedWith = (token: string) => (row: ExpressionBuilder<Schema, 'plan'>) =>
    row.exists(
      row
        .selectFrom('job')
        .select('job.id')
        .where('job.kind', '=', kind.name)
        .whereRef('job.id', '=', 'plan.id')
        .where('job.claim_token', '=', token),
    );

  return {
    /** Adds a plan. Throws `input_invalid` if the name is taken. */
    async add(
      { teamId, userId }: Actor,
      planned: Planned,
      nowMs: number,
      state: 'active' | 'approval' = 'active',
    ): Promise<One> {
      const added = await db.transaction().execute(async (transaction) => {
        await freeName(teamId, planned.name, nowMs, transaction);
        const row = await transaction
          .insertInto('plan')
          .values({
            id: randomUUID(),
            team_id: teamId,
            kind: kind.name,
            created_by: userId,
            created_at: nowMs,
            ...toColumns(planned),
            progress: JSON.stringify(kind.progress.parse({})),
            state,
            state_at: nowMs,
            next_at: nextAfter(planned, nowMs),
            version: 0,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        const plan = row && read(row);
        if (plan) await queue?.schedule(plan, transaction);
        return plan;
      });
      queue?.wake();
      if (added) return added;
      await requireFreeName(teamId, planned.name);
      throw nameTakenError({ kind: kind.name, name: planned.name });
    },

    /** Returns the plans of a workspace, sorted by name. Deleted ones are left out. */
    async list(teamId: string): Promise<readonly One[]> {
      return readAll(await living(teamId).orderBy('name').execute());
    },

    /** Returns the names of the plans, sorted, including those of plans that can't be read. */
    async listNames(teamId: string): Promise<readonly string[]> {
      return (await living(teamId).orderBy('name').execute()).map(({ name }) => name);
    },

    listTakenNames,

    async find(teamId: string, name: string): Promise<One | undefined> {
      const row = await living(teamId).where('name', '=', name).executeTakeFirst();
      return row && read(row);
    },

    /** Returns a plan by ID, even if it was deleted. */
    async get(id: string, executor?: Database): Promise<One | undefined> {
      const row = await ofKind(executor).where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },

    /** Lists the plans that wait for a time, or have an occurrence in progress, but have no job. */
    async listWithoutJob(): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
      const rows = await db
        .selectFrom('plan')
        .select(['id', 'team_id'])
        .where('kind', '=', kind.name)
        .where((row) =>
          row.or([row('state', 'in', ['active', 'approval']), row('occurrence', 'is not', null)]),
        )
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('job')
                .select('job.id')
                .where('job.kind', '=', kind.name)
                .whereRef('job.id', '=', 'plan.id'),
            ),
          ),
        )
        .execute();
      return rows.map(({ id, team_id }) => ({ id, teamId: team_id }));
    },

    /**
     * Replaces what a person decides. If the times don't change, an occurrence that is late but hasn't
     * begun is still caught up, and one that was skipped stays skipped. A plan that is done is active again
     * if its times change. `apply` makes the change. Throws `input_invalid` if the name is taken.
     */
    async edit(
      plan: One,
      planned: Planned,
      nowMs: number,
      more: Changes = {},
      apply: (plan: One, values: Changes) => Promise<One | undefined> = (one, values) => change(one, values),
    ): Promise<One | undefined> {
      const hasSameTimes = JSON.stringify(kind.when(plan)) === JSON.stringify(kind.when(planned));
      const nextMs = nextAfter(planned, nowMs);
      const times: Changes = hasSameTimes
        ? { next_at: sql<number | null>`case when occurrence is null then next_at else ${nextMs} end` }
        : { next_at: nextMs, skipped_at: null, skipped_by: null };
      const isActiveAgain = plan.state.kind === 'ended' && !hasSameTimes;
      const again: Changes = isActiveAgain ? { state: 'active', state_at: nowMs } : {};
      if (planned.name !== plan.name) await freeName(plan.teamId, planned.name, nowMs, db, plan.id);
      try {
        return await apply(plan, { ...toColumns(planned), ...times, ...again, ...more });
      } catch (error) {
        await requireFreeName(plan.teamId, planned.name, plan.id);
        throw error;
      }
    },

    /** Pauses a plan. Its next time is set again when it is resumed. */
    pause(
      plan: Seen,
      { reason, byUserId }: Pause,
      nowMs: number,
      transaction?: Database,
      more: Changes = {},
    ) {
      const paused = {
        state: 'paused',
        state_at: nowMs,
        paused_reason: reason,
        paused_by: byUserId,
      } as const;
      return change(plan, { ...paused, ...more }, transaction);
    },

    /** Resumes a paused plan in the name of a person. Times missed during the pause are skipped. */
    resume(plan: One, createdBy: string, nowMs: number, more: Changes = {}): Promise<One | undefined> {
      const active = { state: 'active', state_at: nowMs, paused_reason: null, paused_by: null } as const;
      return change(plan, { ...active, created_by: createdBy, next_at: nextAfter(plan, nowMs), ...more });
    },

    /** Deletes a plan. What has begun is finished. */
    delete(plan: Seen, nowMs: number, more: Changes = {}, transaction?: Database): Promise<One | undefined> {
      return change(plan, { state: 'deleted', state_at: nowMs, next_at: null, ...more }, transaction);
    },

    /** Skips the next occurrence, unless it has begun. */
    skip(plan: One, dueMs: number, byUserId: string): Promise<One | undefined> {
      return change(plan, { skipped_at: dueMs, skipped_by: byUserId }, undefined, (row) =>
        row('next_at', '=', dueMs),
      );
    },

    /** Ends a plan that has no further time. */
    end: (plan: Seen, nowMs: number) => change(plan, { state: 'ended', state_at: nowMs, next_at: null }),

    /** Returns the first time of a plan after another time; `null` if there is none. */
    nextAfter,

    /** Returns whether a plan with times has none left, and none is under way. */
    isOver(plan: Facts, nowMs: number): boolean {
      const when = kind.when(plan);
      return when !== null && nextAfter(plan, nowMs) === null && !currentPeriod(when, nowMs);
    },

    /** Changes a plan while `token` belongs to the current claim of its job. */
    updateClaimed: (id: string, token: string, values: Changes, executor = db) =>
      executor.updateTable('plan').set(values).where('id', '=', id).where(isClaimedWith(token)),

    /** Returns whether the job of a plan is still claimed with `token`. */
    async isClaimed(id: string, token: string): Promise<boolean> {
      const claimed = db.selectFrom('plan').select('id').where('id', '=', id).where(isClaimedWith(token));
      return (await claimed.executeTakeFirst()) !== undefined;
    },

    change,
  };
}

function toState({ state, state_at, paused_reason, paused_by }: Selectable<PlanTable>): PlanState {
  return state === 'paused'
    ? { kind: 'paused', reason: toPauseReason(paused_reason), byUserId: paused_by, sinceMs: state_at }
    : { kind: state };
}

function nameTakenError(taken: Pick<TakenName, 'kind' | 'name'>): RackhandError {
  return new RackhandError('input_invalid', `${describeTakenName(taken)}. Choose another name.`);
}
