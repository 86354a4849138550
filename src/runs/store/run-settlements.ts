import { sql } from 'kysely';
import type { Database } from '../../db/engines/database.ts';
import type { RunStatus } from '../../db/schema/schema.ts';
import { wasUpdated } from '../../db/was-updated.ts';
import { type LogKind, logKinds, settleLogKind } from '../log-kind.ts';
import type { ProblemResult, Run, RunSettlement } from '../run.ts';
import { type Lease, toLeaseColumns } from './run-leases.ts';
import { type ResolvedNames, toNameColumns, toRun, toSettledColumns } from './run-row.ts';

type SettleCommand = RunSettlement & {
  readonly id: string;
  readonly from: readonly RunStatus[];
  readonly owner: string;
  /** Whether the run awaited approval when it was read. If that has changed, the run isn't settled. */
  readonly isAwaitingApproval?: boolean;
  /** The lease under which the owner must report the end. Undefined if the actor knows it. */
  readonly notificationLease?: Lease;
  /** Names that were resolved since the run was last stored. */
  readonly names?: ResolvedNames | undefined;
  readonly nowMs: number;
};

/** Returns what the end of a run changes about its kind in the activity log. */
function toSettledLogKind(result: RunSettlement['result']) {
  const changed = logKinds.filter((kind) => settleLogKind(kind, result) !== kind);
  if (changed.length === 0) return {};
  const cases = changed.map((kind) => sql`when log_kind = ${kind} then ${settleLogKind(kind, result)}`);
  return { log_kind: sql<LogKind>`case ${sql.join(cases, sql` `)} else log_kind end` };
}

type ExpiredRun = Run & {
  /** Whether the end must be reported, because the actor never got a card or because approvers were asked. */
  readonly needsNotification: boolean;
};

/** The part of the run store that settles runs. */
export function createRunSettlements(db: Database) {
  const updateRun = (id: string) => db.updateTable('run').where('id', '=', id);

  return {
    /**
     * Settles a run if it is in one of the states `from`. Only its owner can settle a queued or
     * sent run. An end that can replace `unknown` is what the service answered, and so also ends a
     * sent run that another process has taken over.
     */
    async settle(settlement: SettleCommand): Promise<boolean> {
      const {
        id,
        from,
        owner,
        isAwaitingApproval = false,
        notificationLease,
        names,
        status,
        result,
        nowMs,
      } = settlement;
      const settledByAnyone: readonly RunStatus[] = from.includes('unknown')
        ? ['waiting', 'sent', 'unknown']
        : ['waiting'];
      return wasUpdated(
        updateRun(id)
          .set({
            status,
            ...toSettledColumns(result, nowMs),
            ...toSettledLogKind(result),
            ...(notificationLease ? toLeaseColumns(notificationLease) : { response_url_jwe: null }),
            ...(names && toNameColumns(names)),
          })
          .where('status', 'in', from)
          .where((row) =>
            row.or([
              row('status', '!=', 'waiting'),
              row('approval_cards', isAwaitingApproval ? 'is not' : 'is', null),
            ]),
          )
          .where((row) => row.or([row('status', 'in', settledByAnyone), row('owner', '=', owner)])),
      );
    },

    /**
     * Expires overdue waiting runs and returns them. Those that must be reported are owned under
     * the lease until that was done.
     */
    async expireOverdue(result: ProblemResult, lease: Lease, nowMs: number): Promise<readonly ExpiredRun[]> {
      const needsNotification = sql`owner is not null or approval_cards is not null`;
      const rows = await db
        .updateTable('run')
        .set({
          status: 'expired',
          ...toSettledColumns(result, nowMs),
          owner: sql`case when ${needsNotification} then ${lease.owner} end`,
          lease_until: sql`case when ${needsNotification} then cast(${lease.untilMs} as bigint) end`,
          response_url_jwe: sql`case when ${needsNotification} then response_url_jwe end`,
        })
        .where('status', '=', 'waiting')
        .where('not_after', '<=', nowMs)
        .returningAll()
        .execute();
      return rows.map((row) => ({ ...toRun(row), needsNotification: row.owner !== null }));
    },

    /** Expires all unsent runs of a workspace and returns them. */
    async expireUnsent(teamId: string, result: ProblemResult, nowMs: number): Promise<readonly Run[]> {
      const rows = await db
        .updateTable('run')
        .set({ status: 'expired', ...toSettledColumns(result, nowMs) })
        .where('team_id', '=', teamId)
        .where('status', 'in', ['waiting', 'queued'])
        .returningAll()
        .execute();
      return rows.map(toRun);
    },
  };
}
