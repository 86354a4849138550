import type { Database } from '../../db/engines/database.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import type { MessageRef } from '../../messages/message.ts';
import { type ConfirmedState, toStateColumn } from '../confirmed-state.ts';
import type { Run } from '../run.ts';
import type { ChangeShown } from './change-shown.ts';
import { type Lease, toLeaseColumns } from './run-leases.ts';
import { type ShownRun, showsState, toNameColumns } from './run-row.ts';

interface ApprovalRequest {
  readonly confirmedState: ConfirmedState;
  readonly expiresMs: number;
}

/** The part of the run store that deals with approvals. */
export function createRunApprovals(db: Database, changeShown: ChangeShown) {
  const updateRun = (id: string) => db.updateTable('run').where('id', '=', id);

  return {
    /**
     * Makes a waiting run await approval, with its request, if its card wasn't replaced. Its owner still
     * has to post the cards.
     */
    async awaitApproval(
      run: ShownRun,
      { confirmedState, expiresMs }: ApprovalRequest,
      lease: Lease,
      nowMs: number,
    ): Promise<boolean> {
      return wasUpdated(
        updateRun(run.id)
          .set({
            approval_cards: '[]',
            shown_state: toStateColumn(confirmedState),
            not_after: expiresMs,
            ...toLeaseColumns(lease),
            ...toNameColumns(run),
          })
          .where('status', '=', 'waiting')
          .where('approval_cards', 'is', null)
          .where(...showsState(run))
          .where('not_after', '>', nowMs),
      );
    },

    /** Stores the posted cards. Returns false if the run no longer awaits approval. */
    async saveApprovalCards(id: string, cards: readonly MessageRef[]): Promise<boolean> {
      const changed = await changeShown((transaction) =>
        transaction
          .updateTable('run')
          .set({ approval_cards: JSON.stringify(cards), ...toLeaseColumns(null) })
          .where('id', '=', id)
          .where('status', '=', 'waiting')
          .where('approval_cards', '=', '[]')
          .returningAll()
          .execute(),
      );
      return changed.length > 0;
    },

    /** Binds the approval request to a new state of the target. */
    async renewApproval(
      run: Pick<Run, 'id' | 'confirmedState'>,
      { confirmedState, expiresMs }: ApprovalRequest,
      nowMs: number,
    ): Promise<boolean> {
      return wasUpdated(
        updateRun(run.id)
          .set({ shown_state: toStateColumn(confirmedState), not_after: expiresMs })
          .where('status', '=', 'waiting')
          .where('approval_cards', 'is not', null)
          .where(...showsState(run))
          .where('not_after', '>', nowMs),
      );
    },
  };
}
