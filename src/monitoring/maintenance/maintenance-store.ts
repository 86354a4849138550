import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../../db/engines/database.ts';
import { createNameList } from '../../db/name-list.ts';
import { createRowReader } from '../../db/row-reader.ts';
import type { MaintenanceTable } from '../../db/schema/monitoring-tables.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { currentPeriod, type Period } from '../../time/periods.ts';
import { type When, when } from '../../time/when.ts';
import type { Plan } from '../shared/monitor/monitor.ts';

/** The part of a maintenance window that a person decides. */
export interface MaintenancePlan {
  readonly name: string;
  /** Where it is announced. `null` if only the alerts of its VPS say that they are muted. */
  readonly channel: string | null;
  /** Names and patterns of VPS, separated by spaces. */
  readonly vps: string;
  readonly timing: When;
}

/**
 * A maintenance window. During an occurrence of it, watches and reports are silent about its VPS.
 */
export interface Maintenance extends MaintenancePlan, Plan {
  /** Incremented with each change. */
  readonly revision: number;
  /** When a person last ended an occurrence early. */
  readonly endedMs: number | null;
}

export type MaintenanceStore = ReturnType<typeof createMaintenanceStore>;

/** Returns the occurrence of a window at `nowMs`, unless it is paused or a person has ended it. */
export function findCurrent({ timing, state, endedMs }: Maintenance, nowMs: number): Period | undefined {
  if (state.kind === 'paused') return undefined;
  const current = currentPeriod(timing, nowMs);
  return current && (endedMs === null || current.fromMs > endedMs) ? current : undefined;
}

export function createMaintenanceStore(db: Database, rowReader = createRowReader()) {
  const { read, readAll } = rowReader.forTable({
    table: 'maintenance',
    noun: 'maintenance window',
    toValue: toMaintenance,
    toId: ({ id }) => id,
  });

  const change = ({ id, revision }: Pick<Maintenance, 'id' | 'revision'>) =>
    db.updateTable('maintenance').where('id', '=', id).where('revision', '=', revision);

  return {
    /** Adds a window. Returns undefined if the name is taken. */
    async add(
      { teamId, userId }: Actor,
      { name, channel, vps, timing }: MaintenancePlan,
      nowMs: number,
    ): Promise<Maintenance | undefined> {
      const row = await db
        .insertInto('maintenance')
        .values({
          id: randomUUID(),
          team_id: teamId,
          name,
          channel,
          vps,
          timing: JSON.stringify(timing),
          created_by: userId,
          created_at: nowMs,
          ended_at: null,
          state: 'active',
          revision: 0,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && read(row);
    },

    /** Returns the windows of a workspace, sorted by name. */
    async list(teamId: string): Promise<readonly Maintenance[]> {
      const rows = await db
        .selectFrom('maintenance')
        .selectAll()
        .where('team_id', '=', teamId)
        .orderBy('name')
        .execute();
      return readAll(rows);
    },

    listNames: createNameList(db, 'maintenance'),

    async find(teamId: string, name: string): Promise<Maintenance | undefined> {
      const row = await db
        .selectFrom('maintenance')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .executeTakeFirst();
      return row && read(row);
    },

    async get(id: string): Promise<Maintenance | undefined> {
      const row = await db.selectFrom('maintenance').selectAll().where('id', '=', id).executeTakeFirst();
      return row && read(row);
    },

    /** Lists the windows without a job of this kind. */
    async listWithoutJob(
      jobKind: string,
    ): Promise<readonly { readonly id: string; readonly teamId: string }[]> {
      const rows = await db
        .selectFrom('maintenance')
        .select(['id', 'team_id'])
        .where('state', '=', 'active')
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('job')
                .select('job.id')
                .where('job.kind', '=', jobKind)
                .whereRef('job.id', '=', 'maintenance.id'),
            ),
          ),
        )
        .execute();
      return rows.map(({ id, team_id }) => ({ id, teamId: team_id }));
    },

    /** Replaces the plan. Returns false if it was changed since it was read, or if the name is taken. */
    edit: ({ id, teamId, revision }: Maintenance, { name, channel, vps, timing }: MaintenancePlan) =>
      wasUpdated(
        change({ id, revision })
          .set({ name, channel, vps, timing: JSON.stringify(timing), ended_at: null, revision: revision + 1 })
          .where((row) =>
            row.not(
              row.exists(
                row
                  .selectFrom('maintenance as other')
                  .select('other.id')
                  .where('other.team_id', '=', teamId)
                  .where('other.name', '=', name)
                  .where('other.id', '!=', id),
              ),
            ),
          ),
      ),

    pause: ({ id, revision }: Maintenance, byUserId: string) =>
      wasUpdated(
        change({ id, revision }).set({ state: 'paused', paused_by: byUserId, revision: revision + 1 }),
      ),

    resume: ({ id, revision }: Maintenance) =>
      wasUpdated(change({ id, revision }).set({ state: 'active', paused_by: null, revision: revision + 1 })),

    /** Ends the current occurrence, and does `alsoDo` in the same transaction. */
    async end(id: string, nowMs: number, alsoDo: (transaction: Database) => Promise<void>): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.updateTable('maintenance').set({ ended_at: nowMs }).where('id', '=', id).execute();
        await alsoDo(transaction);
      });
    },

    async delete(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('maintenance').where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function toMaintenance(row: Selectable<MaintenanceTable>): Maintenance {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    channel: row.channel,
    vps: row.vps,
    timing: when.parse(JSON.parse(row.timing)),
    createdBy: row.created_by,
    revision: row.revision,
    state:
      row.state === 'paused'
        ? { kind: 'paused', reason: 'person', byUserId: row.paused_by }
        : { kind: 'active' },
    endedMs: row.ended_at,
  };
}
