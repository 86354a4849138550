import type { RunStatus } from '../../db/schema/schema.ts';
import type { Run, RunSettlement } from '../run.ts';
import type { Lease } from '../store/run-leases.ts';
import type { ResolvedNames } from '../store/run-row.ts';
import type { EndReport } from '../store/run-settlements.ts';
import type { RunStore } from '../store/run-store.ts';
import type { WithRetry } from '../with-retry.ts';

export const activeStatuses: readonly RunStatus[] = ['queued', 'sent'];

/** Statuses of runs that a response from the service can settle. A late response also settles an `unknown` run. */
export const settleableStatuses: readonly RunStatus[] = [...activeStatuses, 'unknown'];

/**
 * Settles a run if it's in one of the states `from`. Does nothing if the run has started or stopped awaiting
 * approval since `run` was read. Returns whether this call settled the run.
 */
export type Settle = (run: Run, from: readonly RunStatus[], end: RunSettlement) => Promise<boolean>;

export interface RunSettler {
  /**
   * Settles a run whose result is the reply to the actor. If this process ends before the reply is marked as
   * delivered, the next process reports the result.
   */
  readonly settle: Settle;
  /**
   * Settles one of this process's runs, whose actor already knows how it ended. Stores the names that a read has
   * resolved since its claim.
   */
  readonly settleReported: (run: Run, end: RunSettlement, names?: ResolvedNames) => Promise<boolean>;
  readonly settleAndShow: Settle;
}

interface RunSettlerDependencies {
  readonly runs: RunStore;
  readonly lease: () => Lease;
  readonly withRetry: WithRetry;
  readonly now: () => number;
}

export function createRunSettler({ runs, lease, withRetry, now }: RunSettlerDependencies): RunSettler {
  function settle(
    { id, approval }: Run,
    from: readonly RunStatus[],
    end: RunSettlement,
    report: EndReport,
    names?: ResolvedNames,
  ) {
    const nowMs = now();
    const { owner, untilMs } = lease();
    const settlement = {
      id,
      from,
      owner,
      isAwaitingApproval: approval?.askId != null,
      report,
      leaseUntilMs: untilMs,
      names,
      nowMs,
      ...end,
    };
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      if (await runs.settle(settlement)) return true;
      // An earlier attempt may have settled the run, even though the database's response was lost.
      return attempts > 1 && (await runs.find(id))?.status === end.status;
    };
    const failure = 'could not record the end of a run';
    return withRetry(attempt, { runId: id, failure });
  }

  return {
    settle: (run, from, end) => settle(run, from, end, 'reply'),
    settleReported: (run, end, names) => settle(run, [run.status], end, 'none', names),
    settleAndShow: (run, from, end) => settle(run, from, end, 'message'),
  };
}
