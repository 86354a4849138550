import { randomUUID } from 'node:crypto';
import { deletedState } from '../../db/deleted-state.ts';
import type { Database } from '../../db/engines/database.ts';
import { createNameList } from '../../db/name-list.ts';
import { createRowReader } from '../../db/row-reader.ts';
import type { WatchTable } from '../../db/schema/monitoring-tables.ts';
import { RackhandError } from '../../errors.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { PauseReason } from '../../plans/pause-reason.ts';
import { pausedColumns, unpausedColumns } from '../shared/pauses/pause-columns.ts';
import { type Incident, isIncidentOpen } from './evaluation/incident.ts';
import { createPastAlertStore } from './past-alert-store.ts';
import { type AlertState, initialAlertState, toWatch, type Watch, type WatchPlan } from './watch.ts';

/** How often a change is retried if the watch was changed at the same time. */
const maxAttempts = 10;

export type WatchStore = ReturnType<typeof createWatchStore>;

/**
 * Every change is a compare-and-set on the revision. It returns the new watch, or undefined if
 * someone else changed the watch first.
 */
export function createWatchStore(db: Database, rowReader = createRowReader()) {
  const { read, readAll } = rowReader.forTable({
    table: 'watch',
    noun: 'watch',
    toValue: toWatch,
    toId: ({ id }) => id,
  });
  const living = (teamId: string) =>
    db.selectFrom('watch').selectAll().where('team_id', '=', teamId).where('state', '!=', deletedState);

  async function change(
    { id, revision }: Pick<Watch, 'id' | 'revision'>,
    values: Partial<WatchTable>,
    database = db,
  ): Promise<Watch | undefined> {
    const row = await database
      .updateTable('watch')
      .set({ ...values, revision: revision + 1 })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .where('state', '!=', deletedState)
      .returningAll()
      .executeTakeFirst();
    return row && read(row);
  }

  /** Changes a watch in a way that ends its incident, and stores the ended incident for reports. */
  async function endIncident(
    watch: Watch,
    values: Partial<WatchTable>,
    transaction?: Database,
  ): Promise<Watch | undefined> {
    const { incident } = watch.alertState;
    if (!incident) return change(watch, values, transaction);
    if (!transaction) return db.transaction().execute((own) => endIncident(watch, values, own));
    const changed = await change(watch, values, transaction);
    if (changed) await createPastAlertStore(transaction).add(watch, incident);
    return changed;
  }

  const saveAlertState = (watch: Watch, alertState: AlertState, transaction?: Database) =>
    (alertState.incident ? change : endIncident)(watch, alertStateColumns(alertState), transaction);

  async function findById(id: string, executor = db): Promise<Watch | undefined> {
    const row = await executor
      .selectFrom('watch')
      .selectAll()
      .where('id', '=', id)
      .where('state', '!=', deletedState)
      .executeTakeFirst();
    return row && read(row);
  }

  return {
    /** Adds a watch. Returns undefined if the name is taken. */
    async add({ teamId, userId }: Actor, plan: WatchPlan, nowMs: number): Promise<Watch | undefined> {
      const row = await db
        .insertInto('watch')
        .values({
          id: randomUUID(),
          team_id: teamId,
          created_by: userId,
          created_at: nowMs,
          state: 'active',
          revision: 0,
          ...columnsOf(plan),
          ...alertStateColumns(initialAlertState),
          ...unpausedColumns,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && read(row);
    },

    /** Returns the watches of a workspace, sorted by name. Deleted watches are left out. */
    async list(teamId: string): Promise<readonly Watch[]> {
      return readAll(await living(teamId).orderBy('name').execute());
    },

    listNames: createNameList(db, 'watch'),

    /** Returns whether a workspace has a watch that isn't paused. */
    async hasActive(teamId: string): Promise<boolean> {
      const row = await living(teamId).where('state', '=', 'active').limit(1).executeTakeFirst();
      return row !== undefined;
    },

    /** Lists the workspaces that have an active watch but no job of this kind. */
    async listTeamsWithoutJob(jobKind: string): Promise<readonly string[]> {
      const rows = await db
        .selectFrom('watch')
        .select('team_id')
        .distinct()
        .where('state', '=', 'active')
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('job')
                .select('job.id')
                .where('job.kind', '=', jobKind)
                .whereRef('job.id', '=', 'watch.team_id'),
            ),
          ),
        )
        .execute();
      return rows.map(({ team_id }) => team_id);
    },

    async find(teamId: string, name: string): Promise<Watch | undefined> {
      const row = await living(teamId).where('name', '=', name).executeTakeFirst();
      return row && read(row);
    },

    /** Returns a watch by ID, unless it is deleted. */
    get: findById,

    /**
     * Changes the open incident of a watch, retrying if an evaluation changes the watch at the same
     * time. Returns undefined if the incident has ended, or if `change` returns undefined.
     */
    async changeIncident(
      id: string,
      beganMs: number,
      change: (incident: Incident) => Incident | undefined,
      transaction?: Database,
    ): Promise<Watch | undefined> {
      for (let left = maxAttempts; left > 0; left -= 1) {
        const watch = await findById(id, transaction);
        const incident = watch?.alertState.incident;
        if (!watch || incident?.beganMs !== beganMs || !isIncidentOpen(incident)) return undefined;
        const changed = change(incident);
        if (!changed) return undefined;
        const alertState = { ...watch.alertState, incident: changed };
        const saved = await saveAlertState(watch, alertState, transaction);
        if (saved) return saved;
      }
      throw new RackhandError('input_invalid', 'Someone else is changing this alert. Try again.');
    },

    /** Replaces the plan. The watch starts over. Throws if the name is taken. */
    edit: (watch: Watch, plan: WatchPlan) =>
      endIncident(watch, { ...columnsOf(plan), ...alertStateColumns(initialAlertState) }),

    saveAlertState,

    /** Pauses a watch and clears its alert state. */
    pause: (
      watch: Watch,
      reason: PauseReason,
      byUserId: string | null,
      nowMs: number,
      transaction?: Database,
    ) =>
      endIncident(
        watch,
        { ...alertStateColumns(initialAlertState), ...pausedColumns(reason, byUserId, nowMs) },
        transaction,
      ),

    /** Resumes a watch in the name of a person. */
    resume: (watch: Watch, createdBy: string) =>
      change(watch, { ...unpausedColumns, state: 'active', created_by: createdBy }),

    async delete(watch: Watch): Promise<boolean> {
      return (
        (await endIncident(watch, { ...alertStateColumns(initialAlertState), state: 'deleted' })) !==
        undefined
      );
    },
  };
}

function columnsOf({ name, channel, vps, condition, notify, escalation }: WatchPlan) {
  return {
    name,
    channel,
    vps,
    condition: JSON.stringify(condition),
    notify: notify ?? null,
    escalate_to: escalation?.to ?? null,
    escalate_after: escalation?.afterMs ?? null,
  };
}

function alertStateColumns({ vpsStates, incident }: AlertState) {
  return {
    vps_states: JSON.stringify(vpsStates),
    incident: incident === null ? null : JSON.stringify(incident),
  };
}
