import type { Database } from '../../db/engines/database.ts';
import { type ConfirmedState, toStateColumn } from '../confirmed-state.ts';
import type { Run } from '../run.ts';
import type { ChangeShown } from './change-shown.ts';
import { toLeaseColumns } from './run-leases.ts';
import { type ShownRun, showsState, toNameColumns } from './run-row.ts';

interface AwaitedApproval {
  readonly confirmedState: ConfirmedState;
  readonly expiresMs: number;
}

type StoreAsk = (transaction: Database) => Promise<void>;

export function createRunApprovals(changeShown: ChangeShown) {
  /** Changes a run and its approval request, unless the run has changed since it was read. */
  const changeWith = async (
    run: Pick<Run, 'id' | 'confirmedState'>,
    {
      set,
      askId,
      isShown,
      nowMs,
    }: { set: Record<string, unknown>; askId: string | null; isShown: boolean; nowMs: number },
    storeAsk: StoreAsk,
  ) => {
    const changed = await changeShown(
      async (transaction) => {
        const rows = await transaction
          .updateTable('run')
          .set(set)
          .where('id', '=', run.id)
          .where('status', '=', 'waiting')
          .where('ask_id', askId === null ? 'is' : '=', askId)
          .where(...showsState(run))
          .where('not_after', '>', nowMs)
          .returningAll()
          .execute();
        if (rows.length > 0) await storeAsk(transaction);
        return rows;
      },
      () => isShown,
    );
    return changed.length > 0;
  };

  return {
    /** Stores a waiting run's approval request, unless its card was replaced. From then on, the run has no owner. */
    awaitApproval(
      run: ShownRun,
      awaited: AwaitedApproval & { readonly askId: string; readonly isShown: boolean },
      storeAsk: StoreAsk,
      nowMs: number,
    ): Promise<boolean> {
      const { confirmedState, expiresMs, askId, isShown } = awaited;
      const set = {
        ask_id: askId,
        shown_state: toStateColumn(confirmedState),
        not_after: expiresMs,
        ...toLeaseColumns(null),
        ...toNameColumns(run),
      };
      return changeWith(run, { set, askId: null, isShown, nowMs }, storeAsk);
    },

    /** Binds the approval request to the target's new state. */
    async renewApproval(
      run: Pick<Run, 'id' | 'confirmedState' | 'approval'>,
      { confirmedState, expiresMs }: AwaitedApproval,
      nowMs: number,
      storeAsk: StoreAsk,
    ): Promise<boolean> {
      const set = { shown_state: toStateColumn(confirmedState), not_after: expiresMs };
      const askId = run.approval?.askId ?? null;
      if (askId === null) return false;
      return changeWith(run, { set, askId, isShown: false, nowMs }, storeAsk);
    },
  };
}
