import { sql } from 'kysely';
import type { Database } from '../../db/engines/database.ts';
import type { RunStatus } from '../../db/schema/schema.ts';
import { type LogKind, logKinds, settleLogKind } from '../log-kind.ts';
import type { ProblemResult, Run, RunSettlement } from '../run.ts';
import type { ChangeShown } from './change-shown.ts';
import { toLeaseColumns } from './run-leases.ts';
import { type ResolvedNames, toNameColumns, toRun, toSettledColumns } from './run-row.ts';

/**
 * How an end is reported: in a reply that the run's owner still has to send, in the run's message, or not at all,
 * because the actor already knows.
 */
export type EndReport = 'reply' | 'message' | 'none';

type SettleCommand = RunSettlement & {
  readonly id: string;
  readonly from: readonly RunStatus[];
  readonly owner: string;
  /** Whether the run awaited approval when it was read. If that has changed, the run isn't settled. */
  readonly isAwaitingApproval?: boolean;
  /** Defaults to `message`. */
  readonly report?: EndReport;
  /** Deadline (epoch ms) for sending the reply. Used only with `report: 'reply'`. */
  readonly leaseUntilMs?: number;
  /** Names that were resolved since the run was last stored. */
  readonly names?: ResolvedNames | undefined;
  readonly nowMs: number;
};

/** Returns the log kind to store when a run ends, if it changes. */
function toSettledLogKind(result: RunSettlement['result']) {
  const changed = logKinds.filter((kind) => settleLogKind(kind, result) !== kind);
  if (changed.length === 0) return {};
  const cases = changed.map((kind) => sql`when log_kind = ${kind} then ${settleLogKind(kind, result)}`);
  return { log_kind: sql<LogKind>`case ${sql.join(cases, sql` `)} else log_kind end` };
}

/** SQL that keeps a run's response URL only if the run has no message of its own. Only a reply needs the URL. */
const ifUnseen = sql<string | null>`case when title is null or queued_at is null then response_url_jwe end`;

export function createRunSettlements(db: Database, changeShown: ChangeShown) {
  return {
    /**
     * Settles a run if it's in one of the states `from`. Only the owner can settle a queued or sent run. An end that
     * can replace `unknown` is the service's answer, so that end also settles a sent run that another process has
     * taken over.
     */
    async settle(settlement: SettleCommand): Promise<boolean> {
      const {
        id,
        from,
        owner,
        isAwaitingApproval = false,
        report = 'message',
        nowMs,
        leaseUntilMs = nowMs,
        names,
        status,
        result,
      } = settlement;
      const settledByAnyone: readonly RunStatus[] = from.includes('unknown')
        ? ['waiting', 'sent', 'unknown']
        : ['waiting'];
      const reportColumns = {
        reply: toLeaseColumns({ owner, untilMs: leaseUntilMs }),
        message: { response_url_jwe: ifUnseen },
        none: { response_url_jwe: null },
      }[report];
      const settled = await changeShown(
        (transaction) =>
          transaction
            .updateTable('run')
            .set({
              status,
              ...toSettledColumns(result, nowMs),
              ...toSettledLogKind(result),
              ...reportColumns,
              ...(names && toNameColumns(names)),
            })
            .where('id', '=', id)
            .where('status', 'in', from)
            .where((row) =>
              row.or([
                row('status', '!=', 'waiting'),
                row('ask_id', isAwaitingApproval ? 'is not' : 'is', null),
              ]),
            )
            .where((row) => row.or([row('status', 'in', settledByAnyone), row('owner', '=', owner)]))
            .returningAll()
            .execute(),
        () => report === 'message',
      );
      return settled.length > 0;
    },

    /**
     * Expires overdue waiting runs and returns them. Shows the expiry only if the actor never got a card or approvers
     * were asked.
     */
    async expireOverdue(result: ProblemResult, nowMs: number): Promise<readonly Run[]> {
      const expire = (transaction: Database) =>
        transaction
          .updateTable('run')
          .set({ status: 'expired', ...toSettledColumns(result, nowMs) })
          .where('status', '=', 'waiting')
          .where('not_after', '<=', nowMs)
          .returningAll();
      const shown = await changeShown((transaction) =>
        expire(transaction)
          .where((row) => row.or([row('owner', 'is not', null), row('ask_id', 'is not', null)]))
          .execute(),
      );
      const others = await expire(db).set({ response_url_jwe: null }).execute();
      return [...shown, ...others.map(toRun)];
    },

    /** Expires all unsent runs of a workspace and returns them. */
    async expireUnsent(teamId: string, result: ProblemResult, nowMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set({ status: 'expired', ...toSettledColumns(result, nowMs), response_url_jwe: null })
        .where('team_id', '=', teamId)
        .where('status', 'in', ['waiting', 'queued'])
        .returningAll()
        .execute();
      return rows.map(toRun);
    },
  };
}
