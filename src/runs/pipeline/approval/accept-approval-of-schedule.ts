import { toConfirmedState } from '../../confirmed-state.ts';
import { deniedProblem } from '../../problem.ts';
import type { WaitingRun } from '../../run.ts';
import type { ChangeRun, ClaimedRun } from '../run-context.ts';
import { refuse, replyNoLongerWaiting } from '../run-ends.ts';
import type { RunRecords, RunRules, StoredRuns } from '../run-services.ts';
import { end, type Next, next } from '../step.ts';

/** Ends if a rule demands approval and the schedule has none. Otherwise records who approved it. */
export async function acceptApprovalOfSchedule(
  change: ChangeRun<WaitingRun> & Pick<ClaimedRun, 'scheduleApproverId'>,
  services: RunRecords & RunRules & StoredRuns,
): Promise<Next<ChangeRun<WaitingRun>>> {
  const { run, scheduleApproverId: approverId } = change;
  const { runs, lease, now } = services;
  if (!(await services.findApprovalRoute(change))) return next(change);
  if (approverId === undefined) {
    const message = 'A rule requires approval for this, and the schedule was not approved.';
    const advice = 'Schedule it again to ask for approval.';
    return refuse(run, deniedProblem({ message, advice }), services);
  }
  // Without a state, because the schedule was approved before the target's state was known.
  const request = { confirmedState: toConfirmedState(undefined), expiresMs: run.expiresMs ?? now() };
  if (!(await runs.awaitApproval(run, request, lease(), now())))
    return end(await replyNoLongerWaiting(run, services));
  const approved = { ...run, ...request, approval: { cards: [], approverId: null } };
  return next({ ...change, run: approved, approverId });
}
