import type { Database } from '../../db/engines/database.ts';
import type { RowReader } from '../../db/row-reader.ts';
import { RackhandError } from '../../errors.ts';
import { createPlanStore, type Pause } from '../../plans/plan-store.ts';
import { type Alert, isAlertOpen } from './evaluation/alert.ts';
import { createPastAlertStore } from './past-alert-store.ts';
import { type AlertState, initialAlertState, type Watch, type WatchPlan, watchKind } from './watch.ts';

/** Maximum attempts at a change while the watch keeps being changed by others at the same time. */
const maxAttempts = 10;

export type WatchStore = ReturnType<typeof createWatchStore>;

/** Creates the store of watches. Evaluations are versioned changes too, so they don't overwrite changes by people. */
export function createWatchStore(db: Database, rowReader?: RowReader) {
  const plans = createPlanStore(db, watchKind, { rowReader });
  const reset = progressColumn(initialAlertState);

  /** Makes a change that ends a watch's alert, and stores the ended alert for reports. */
  async function endAlert(
    watch: Watch,
    change: (transaction?: Database) => Promise<Watch | undefined>,
    transaction?: Database,
  ): Promise<Watch | undefined> {
    const { alert } = watch.alertState;
    if (!alert) return change(transaction);
    if (!transaction) return db.transaction().execute((own) => endAlert(watch, change, own));
    const changed = await change(transaction);
    if (changed) await createPastAlertStore(transaction).add(watch, alert);
    return changed;
  }

  async function saveAlertState(
    watch: Watch,
    alertState: AlertState,
    transaction?: Database,
  ): Promise<Watch | undefined> {
    const change = (executor?: Database) => plans.change(watch, progressColumn(alertState), executor);
    return alertState.alert ? change(transaction) : endAlert(watch, change, transaction);
  }

  const active = () => db.selectFrom('plan').where('kind', '=', watchKind.name).where('state', '=', 'active');

  return {
    ...plans,

    async hasActive(teamId: string): Promise<boolean> {
      const row = await active().select('id').where('team_id', '=', teamId).limit(1).executeTakeFirst();
      return row !== undefined;
    },

    /** Lists the workspaces with an active watch but no job of this kind. */
    async listTeamsWithoutJob(jobKind: string): Promise<readonly string[]> {
      const rows = await active()
        .select('team_id')
        .distinct()
        .where((row) =>
          row.not(
            row.exists(
              row
                .selectFrom('job')
                .select('job.id')
                .where('job.kind', '=', jobKind)
                .whereRef('job.id', '=', 'plan.team_id'),
            ),
          ),
        )
        .execute();
      return rows.map(({ team_id }) => team_id);
    },

    /**
     * Changes a watch's open alert. Retries if an evaluation changes the watch at the same time. Returns undefined if
     * the alert has ended or `change` returns undefined.
     */
    async changeAlert(
      id: string,
      beganMs: number,
      change: (alert: Alert) => Alert | undefined,
      transaction?: Database,
    ): Promise<Watch | undefined> {
      for (let left = maxAttempts; left > 0; left -= 1) {
        const watch = await plans.get(id, transaction);
        const alert = watch?.alertState.alert;
        if (!watch || alert?.beganMs !== beganMs || !isAlertOpen(alert)) return undefined;
        const changed = change(alert);
        if (!changed) return undefined;
        const alertState = { ...watch.alertState, alert: changed };
        const saved = await saveAlertState(watch, alertState, transaction);
        if (saved) return saved;
      }
      throw new RackhandError('input_invalid', 'Someone else is changing this alert. Try again.');
    },

    saveAlertState,

    /**
     * Replaces the plan and starts the watch over. `alsoDo` runs in the same transaction. Throws `input_invalid` if the
     * name is taken.
     */
    edit: (
      watch: Watch,
      plan: WatchPlan,
      nowMs: number,
      alsoDo: (transaction: Database) => Promise<void> = async () => {},
    ) =>
      plans.edit(watch, plan, nowMs, reset, async (_, values, transaction) => {
        const edited = await endAlert(watch, (own) => plans.change(watch, values, own), transaction);
        if (edited) await alsoDo(transaction);
        return edited;
      }),

    pause: (watch: Watch, pause: Pause, nowMs: number, transaction?: Database) =>
      endAlert(watch, (own) => plans.pause(watch, pause, nowMs, own, reset), transaction),

    delete: (watch: Watch, by: Pick<Pause, 'byUserId'>, nowMs: number, transaction?: Database) =>
      endAlert(watch, (own) => plans.delete(watch, by, nowMs, own, reset), transaction),
  };
}

const progressColumn = (alertState: AlertState) => ({ progress: JSON.stringify({ alertState }) });
