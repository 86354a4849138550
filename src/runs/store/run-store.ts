import type { Vault } from '../../db/encryption/vault.ts';
import type { Database } from '../../db/engines/database.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import type { Progress } from '../../operations/define/target-state.ts';
import { type ConfirmedState, toStateColumn } from '../confirmed-state.ts';
import type { LogKind } from '../log-kind.ts';
import type { ActiveRun, Run } from '../run.ts';
import type { RunMessages } from '../run-messages.ts';
import { createChangeShown, createRunChanges } from './change-shown.ts';
import { createResponseUrls } from './response-urls.ts';
import { createRunApprovals } from './run-approvals.ts';
import { createRunLeases, type Lease, toLeaseColumns } from './run-leases.ts';
import { createRunQueries } from './run-queries.ts';
import {
  type NewAuditEntry,
  type ResolvedNames,
  type ShownRun,
  showsState,
  toAuditRow,
  toNameColumns,
  toNewRow,
} from './run-row.ts';
import { createRunSettlements } from './run-settlements.ts';

/** A job and its claim token, which only the process with the claim knows. */
interface JobClaim {
  readonly kind: string;
  readonly token: string;
}

/** Stores runs. Every state change is a compare-and-set that returns whether the state was changed. */
export type RunStore = ReturnType<typeof createRunStore>;

/** Creates the run store. `messages` shows changes to people in the same transaction. By default, nothing is shown. */
export function createRunStore(db: Database, vault: Vault, messages: RunMessages = unseen) {
  const updateRun = (id: string, executor = db) => executor.updateTable('run').where('id', '=', id);
  const changes = createRunChanges();
  const changeShown = createChangeShown(db, messages, changes);
  const wasChanged = async (...change: Parameters<typeof changeShown>) =>
    (await changeShown(...change)).length > 0;

  const responseUrls = createResponseUrls(db, vault);

  return {
    ...createRunQueries(db),
    ...createRunLeases(db, changeShown),
    ...createRunApprovals(changeShown),
    ...createRunSettlements(db, changeShown),
    changes,
    findResponseUrl: responseUrls.find,

    /** Inserts a new run. Returns false if a run with the same request key already exists. */
    async claim(run: Run, requestKey: string, lease: Lease, logKind: LogKind = 'changes'): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('run')
        .values({
          ...toNewRow(run, requestKey, logKind),
          ...toLeaseColumns(lease),
          response_url_jwe: await responseUrls.encrypt(run),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    /** Stores an audit entry as a settled run. */
    async addAuditEntry(entry: NewAuditEntry, executor: Database = db): Promise<void> {
      await executor
        .insertInto('run')
        .values(toAuditRow(entry))
        .onConflict((conflict) => conflict.column('request_key').doNothing())
        .execute();
    },

    /** Records who stopped a queued or sent run. Returns false if the run has ended or was already stopped. */
    async stop(id: string, stoppedBy: string): Promise<boolean> {
      const isStopped = await wasUpdated(
        updateRun(id)
          .set({ stopped_by: stoppedBy })
          .where('status', 'in', ['queued', 'sent'])
          .where('stopped_by', 'is', null),
      );
      changes.notify(id);
      return isStopped;
    },

    /**
     * Stores the request and state shown on a waiting run's card. The owner still has to deliver the card.
     * Returns false if the run has ended or another process has taken it over.
     */
    async saveConfirmation(
      run: ShownRun,
      confirmedState: ConfirmedState,
      expiresMs: number,
      owner: string,
    ): Promise<boolean> {
      return wasUpdated(
        updateRun(run.id)
          .set({
            shown_state: toStateColumn(confirmedState),
            clicked_at: null,
            not_after: expiresMs,
            ...toNameColumns(run),
          })
          .where('status', '=', 'waiting')
          .where('ask_id', 'is', null)
          .where('owner', '=', owner),
      );
    },

    /** Accepts the first click on a run's card. Returns false if the card is out of date or was already clicked. */
    async takeClick(run: Pick<Run, 'id' | 'confirmedState'>, lease: Lease, nowMs: number): Promise<boolean> {
      return wasUpdated(
        updateRun(run.id)
          .set({ clicked_at: nowMs, ...toLeaseColumns(lease) })
          .where('status', '=', 'waiting')
          .where('ask_id', 'is', null)
          .where('clicked_at', 'is', null)
          .where(...showsState(run)),
      );
    },

    /**
     * Stores the input with names resolved to IDs, and those IDs' readable names. Returns false if the run has ended
     * or another process has taken it over.
     */
    async saveResolvedInput(id: string, resolved: ResolvedNames, owner: string): Promise<boolean> {
      return wasUpdated(
        updateRun(id)
          .set(toNameColumns(resolved))
          .where('status', 'in', ['waiting', 'queued'])
          .where('owner', '=', owner),
      );
    },

    /**
     * Queues a waiting run, with its input. Returns false if the run has expired, if its card now shows another state,
     * or if an approval is missing.
     */
    async enqueue(
      run: ShownRun & Pick<Run, 'approval'>,
      lease: Lease,
      expiresMs: number,
      nowMs: number,
      approverId?: string,
    ): Promise<boolean> {
      const askId = run.approval?.askId ?? null;
      if (askId !== null && approverId === undefined) return false;
      return wasChanged((transaction) =>
        updateRun(run.id, transaction)
          .set({
            status: 'queued',
            ...toLeaseColumns(lease),
            not_after: expiresMs,
            queued_at: nowMs,
            approved_by: approverId ?? null,
            ...toNameColumns(run),
          })
          .where('status', '=', 'waiting')
          .where('not_after', '>', nowMs)
          .where(...showsState(run))
          .where('ask_id', askId === null ? 'is' : '=', askId)
          .returningAll()
          .execute(),
      );
    },

    /**
     * Marks a queued run as sent, right before the call is sent, or again before a retry. Only the owner can do this,
     * and only before the run expires. A part is marked only while its parent is running and hasn't been stopped.
     */
    async markSent(id: string, from: ActiveRun['status'], owner: string, nowMs: number): Promise<boolean> {
      return wasChanged(
        (transaction) =>
          updateRun(id, transaction)
            .set({ status: 'sent', sent_at: nowMs })
            .where('status', '=', from)
            .where('owner', '=', owner)
            .where('not_after', '>', nowMs)
            .where(({ or, eb, not, exists, selectFrom }) => {
              const endedOrStopped = selectFrom('run as parent')
                .select('parent.id')
                .whereRef('parent.id', '=', 'run.batch_id')
                .where(({ or, eb }) => or([eb('status', '!=', 'sent'), eb('stopped_by', 'is not', null)]));
              return or([eb('batch_id', 'is', null), not(exists(endedOrStopped))]);
            })
            .returningAll()
            .execute(),
        // Before a retry, the run was already shown as sent.
        () => from === 'queued',
      );
    },

    /** Stores a run's progress. Returns false if the job that read it has lost its claim. */
    async saveProgress(id: string, progress: Progress, job?: JobClaim): Promise<boolean> {
      return wasChanged((transaction) =>
        updateRun(id, transaction)
          .set({ progress: JSON.stringify(progress) })
          .$if(job !== undefined, (saved) =>
            saved.where(({ exists, selectFrom }) =>
              exists(
                selectFrom('job')
                  .select('job.id')
                  .where('job.kind', '=', job?.kind ?? '')
                  .whereRef('job.id', '=', 'run.id')
                  .where('job.claim_token', '=', job?.token ?? ''),
              ),
            ),
          )
          .returningAll()
          .execute(),
      );
    },

    /** Shows an unfinished run's wait or progress, which isn't stored with the run. */
    showView: messages.showView,
  };
}

const unseen: RunMessages = { show: async () => {}, wake() {}, showView: async () => {} };
