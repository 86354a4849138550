import { randomUUID } from 'node:crypto';
import type { Expression, ExpressionBuilder, Selectable, SqlBool, UpdateObject } from 'kysely';
import { deletedState } from '../db/deleted-state.ts';
import type { Database } from '../db/engines/database.ts';
import { createRowReader, type RowReader } from '../db/row-reader.ts';
import type { PlanTable } from '../db/schema/plan-table.ts';
import type { Schema } from '../db/schema/schema.ts';
import { wasUpdated } from '../db/was-updated.ts';
import { RackhandError } from '../errors.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import { currentPeriod, nextPeriod } from '../time/periods.ts';
import { nextTimeAfter } from '../time/timetable.ts';
import type { NewerPlan } from './newer-plans.ts';
import {
  type PauseReason,
  type PlanKind,
  type PlanOf,
  type PlanState,
  type StoredPlan,
  toPauseReason,
} from './plan.ts';
import { describeTakenName, type TakenName } from './plan-arguments.ts';
import { planWords } from './plan-words.ts';

/** A plan at the version that was read. */
type Seen = Pick<StoredPlan, 'id' | 'version'>;

type Changes = UpdateObject<Schema, 'plan'>;

export interface PlanStoreOptions<One> {
  /** Schedules a plan's job when a person adds or changes the plan. */
  readonly queue?: {
    schedule(plan: One, transaction: Database): Promise<void>;
    wake(): void;
  };
  readonly rowReader?: RowReader | undefined;
}

/** Why a plan is paused. `byUserId` is `null` if Rackhand paused it. */
export interface Pause {
  readonly reason: PauseReason;
  readonly byUserId: string | null;
}

/**
 * Stores the plans of one kind. Changes by people are compare-and-set on the version: they resolve to the new plan, or
 * to undefined if someone else has changed the plan since it was read.
 */
export function createPlanStore<
  Spec extends { readonly channel: string | null },
  Progress extends object,
  Occurrence,
>(
  db: Database,
  kind: PlanKind<Spec, Progress, Occurrence>,
  { queue, rowReader = createRowReader() }: PlanStoreOptions<PlanOf<Spec, Progress, Occurrence>> = {},
) {
  type One = PlanOf<Spec, Progress, Occurrence>;
  type Planned = Spec & { readonly name: string };

  const { read, readAll } = rowReader.forTable({
    table: 'plan',
    noun: kind.noun,
    toValue,
    toId: ({ id }) => id,
  });

  function toValue(row: Selectable<PlanTable>): One {
    const spec = kind.spec.parse({ ...JSON.parse(row.spec), channel: row.channel });
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
      ...spec,
      ...kind.progress.parse(JSON.parse(row.progress)),
      occurrence: row.occurrence === null ? null : kind.occurrence.parse(JSON.parse(row.occurrence)),
    };
  }

  function toColumns(planned: Planned) {
    const { channel, ...spec } = kind.spec.parse(planned);
    return { name: planned.name, channel, spec: JSON.stringify(spec) };
  }

  /** Returns the value for a plan's `progress` column. */
  const toProgress = (plan: Progress, changes: Partial<Progress> = {}) =>
    JSON.stringify(kind.progress.parse({ ...plan, ...changes }));

  function nextAfter(spec: Spec, atMs: number): number | null {
    const when = kind.when(spec);
    if (!when) return null;
    return (kind.isPeriod ? nextPeriod(when, atMs)?.fromMs : nextTimeAfter(when, atMs)) ?? null;
  }

  /**
   * Returns when the first occurrence of a plan that becomes active now begins. It can be a period already under way.
   */
  function firstAfter(spec: Spec, nowMs: number): number | null {
    const when = kind.when(spec);
    const current = kind.isPeriod && when ? currentPeriod(when, nowMs) : undefined;
    return current?.fromMs ?? nextAfter(spec, nowMs);
  }

  const ofKind = (executor = db) => executor.selectFrom('plan').selectAll().where('kind', '=', kind.name);
  const living = (teamId: string, executor?: Database) =>
    ofKind(executor).where('team_id', '=', teamId).where('state', '!=', deletedState);

  /** Returns the names in use by plans of all kinds. An ended plan's name is free. */
  async function listTakenNames(teamId: string): Promise<readonly TakenName[]> {
    return db
      .selectFrom('plan')
      .select(['id', 'kind', 'name'])
      .where('team_id', '=', teamId)
      .where('state', 'not in', ['ended', deletedState])
      .execute();
  }

  /** Frees a name by deleting the ended plan that has it, if any. */
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

  /** Changes a plan if it isn't deleted, its version hasn't changed, and `only` holds. */
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

  /** Matches a plan whose job is claimed with `token`. */
  const isClaimedWith = (token: string) => (row: ExpressionBuilder<Schema, 'plan'>) =>
    row.exists(
      row
        .selectFrom('job')
        .select('job.id')
        .where('job.kind', '=', kind.name)
        .whereRef('job.id', '=', 'plan.id')
        .where('job.claim_token', '=', token),
    );

  /** Changes a plan from its job. Does nothing if the claim was lost or someone else has changed the plan. */
  async function changeClaimed(
    plan: One,
    token: string,
    values: Changes,
    executor = db,
  ): Promise<One | undefined> {
    const row = await executor
      .updateTable('plan')
      .set({ ...values, version: plan.version + 1 })
      .where('id', '=', plan.id)
      .where('version', '=', plan.version)
      .where(isClaimedWith(token))
      .returningAll()
      .executeTakeFirst();
    return row && read(row);
  }

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
            next_at: firstAfter(planned, nowMs),
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

    /** Lists a workspace's plans by name, except deleted ones. */
    async list(teamId: string): Promise<readonly One[]> {
      return readAll(await living(teamId).orderBy('name').execute());
    },

    /** Returns all names, sorted, including those of plans that can't be read. */
    async listNames(teamId: string): Promise<readonly string[]> {
      return (await living(teamId).orderBy('name').execute()).map(({ name }) => name);
    },

    listTakenNames,

    /** Lists the plans whose kind this version doesn't know, sorted by name. */
    async listNewer(teamId: string): Promise<readonly NewerPlan[]> {
      return db
        .selectFrom('plan')
        .select(['id', 'name', 'state', 'version'])
        .where('team_id', '=', teamId)
        .where('kind', 'not in', Object.keys(planWords))
        .where('state', 'not in', ['ended', deletedState])
        .orderBy('name')
        .execute();
    },

    /** Pauses or deletes a plan of an unknown kind. Returns false if someone else has changed the plan. */
    async stopNewer(
      { id, version }: NewerPlan,
      state: 'paused' | 'deleted',
      { byUserId }: Pick<Pause, 'byUserId'>,
      nowMs: number,
    ): Promise<boolean> {
      const paused =
        state === 'paused' ? { paused_reason: 'person', paused_by: byUserId } : { next_at: null };
      return wasUpdated(
        db
          .updateTable('plan')
          .set({ state, state_at: nowMs, version: version + 1, ...paused })
          .where('id', '=', id)
          .where('version', '=', version),
      );
    },

    async find(teamId: string, name: string): Promise<One | undefined> {
      const row = await living(teamId).where('name', '=', name).executeTakeFirst();
      return row && read(row);
    },

    /** Also returns deleted plans. */
    async get(id: string, executor?: Database): Promise<One | undefined> {
      const row = await ofKind(executor).where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },

    /** Lists the plans without a job that have an upcoming occurrence or one in progress. */
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
     * Replaces the user-defined part of a plan. With the same times, a late occurrence is still caught up and a skipped
     * one stays skipped. With new times, an ended plan becomes active again. `apply` makes the change. Throws
     * `input_invalid` if the name is taken.
     */
    async edit(
      plan: One,
      planned: Planned,
      nowMs: number,
      more: Changes = {},
      apply: (plan: One, values: Changes, transaction: Database) => Promise<One | undefined> = change,
    ): Promise<One | undefined> {
      const hasSameTimes = JSON.stringify(kind.when(plan)) === JSON.stringify(kind.when(planned));
      const nextMs = (plan.occurrence === null ? firstAfter : nextAfter)(planned, nowMs);
      const times: Changes = hasSameTimes ? {} : { next_at: nextMs, skipped_at: null, skipped_by: null };
      const isActiveAgain = plan.state.kind === 'ended' && !hasSameTimes;
      const again: Changes = isActiveAgain ? { state: 'active', state_at: nowMs } : {};
      const values = { ...toColumns(planned), ...times, ...again, ...more };
      const saved = await db
        .transaction()
        .execute(async (transaction) => {
          if (planned.name !== plan.name)
            await freeName(plan.teamId, planned.name, nowMs, transaction, plan.id);
          const changed = await apply(plan, values, transaction);
          // Rolls back, so the name isn't freed for an edit that isn't saved.
          if (!changed) throw lostEdit;
          return changed;
        })
        .catch(async (error: unknown) => {
          if (error === lostEdit) return undefined;
          await requireFreeName(plan.teamId, planned.name, plan.id);
          throw error;
        });
      queue?.wake();
      return saved;
    },

    /** Pauses a plan. Its next occurrence is recalculated when the plan is resumed. */
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

    /** Resumes a paused plan, with `createdBy` as its creator. Occurrences missed during the pause are dropped. */
    resume(plan: One, createdBy: string, nowMs: number): Promise<One | undefined> {
      const active = { state: 'active', state_at: nowMs, paused_reason: null, paused_by: null } as const;
      return change(plan, {
        ...active,
        created_by: createdBy,
        next_at: firstAfter(plan, nowMs),
        progress: toProgress(plan, kind.resumed),
      });
    },

    /** Deletes a plan. An occurrence in progress still finishes. */
    delete(
      plan: Seen,
      _by: Pick<Pause, 'byUserId'>,
      nowMs: number,
      transaction?: Database,
      more: Changes = {},
    ): Promise<One | undefined> {
      return change(plan, { state: 'deleted', state_at: nowMs, next_at: null, ...more }, transaction);
    },

    /** Skips the next occurrence, unless it has begun. */
    skip(plan: One, dueMs: number, byUserId: string): Promise<One | undefined> {
      return change(plan, { skipped_at: dueMs, skipped_by: byUserId }, undefined, (row) =>
        row('next_at', '=', dueMs),
      );
    },

    /** Returns when a plan's first occurrence after a given time is due; `null` if there is none. */
    nextAfter,

    /** Returns whether a plan has no further occurrence and no period under way. False for plans without times. */
    isOver(plan: Spec, nowMs: number): boolean {
      const when = kind.when(plan);
      return when !== null && nextAfter(plan, nowMs) === null && !currentPeriod(when, nowMs);
    },

    /** Begins the due occurrence and sets when the next one is due. */
    begin(
      plan: One,
      token: string,
      occurrence: Occurrence,
      transaction?: Database,
    ): Promise<One | undefined> {
      const nextMs = nextAfter(plan, plan.nextMs ?? 0);
      return changeClaimed(
        plan,
        token,
        { occurrence: JSON.stringify(occurrence), next_at: nextMs },
        transaction,
      );
    },

    /**
     * Stores an occurrence's state, even if the plan was changed in the meantime. Returns false if the claim was lost.
     */
    async saveOccurrence(id: string, token: string, occurrence: Occurrence, executor = db): Promise<boolean> {
      const values = { occurrence: JSON.stringify(occurrence) };
      const saving = executor
        .updateTable('plan')
        .set(values)
        .where('id', '=', id)
        .where(isClaimedWith(token));
      return wasUpdated(saving);
    },

    /** Ends an occurrence, or passes over a skipped or missed one. If there is no next occurrence, the plan ends. */
    finish(
      plan: One,
      token: string,
      { nextMs, progress = {} }: { readonly nextMs: number | null; readonly progress?: Partial<Progress> },
      nowMs: number,
      transaction?: Database,
    ): Promise<One | undefined> {
      const { kind: state } = plan.state;
      const isOver = nextMs === null && (state === 'active' || state === 'paused');
      const values: Changes = {
        occurrence: null,
        progress: toProgress(plan, progress),
        ...((state === 'active' || isOver) && { next_at: nextMs }),
        ...(isOver && { state: 'ended', state_at: nowMs }),
      };
      return changeClaimed(plan, token, values, transaction);
    },

    async isClaimed(id: string, token: string): Promise<boolean> {
      const claimed = db.selectFrom('plan').select('id').where('id', '=', id).where(isClaimedWith(token));
      return (await claimed.executeTakeFirst()) !== undefined;
    },

    change,
    changeClaimed,
    toProgress,
  };
}

/** Thrown to roll back an edit if someone else has changed the plan first. */
const lostEdit = new Error('the plan was changed meanwhile');

function toState({ state, state_at, paused_reason, paused_by }: Selectable<PlanTable>): PlanState {
  return state === 'paused'
    ? { kind: 'paused', reason: toPauseReason(paused_reason), byUserId: paused_by, sinceMs: state_at }
    : { kind: state };
}

function nameTakenError(taken: Pick<TakenName, 'kind' | 'name'>): RackhandError {
  return new RackhandError('input_invalid', `${describeTakenName(taken)}. Choose another name.`);
}
