import { deniedProblem } from '../../problem.ts';
import type { WaitingRun } from '../../run.ts';
import type { ChangeRun, ClaimedRun } from '../run-context.ts';
import { refuse } from '../run-ends.ts';
import type { RunRecords, RunRules, StoredRuns } from '../run-services.ts';
import { type Next, next } from '../step.ts';

/** Ends the path if a rule requires approval and the schedule has none. Otherwise adds the schedule's approver. */
export async function acceptApprovalOfSchedule(
  change: ChangeRun<WaitingRun> & Pick<ClaimedRun, 'scheduleApproverId'>,
  services: RunRecords & RunRules & StoredRuns,
): Promise<Next<ChangeRun<WaitingRun>>> {
  const { run, scheduleApproverId: approverId } = change;
  if (!(await services.findApprovalRoute(change))) return next(change);
  if (approverId !== undefined) return next({ ...change, approverId });
  const message = 'A rule requires approval for this, and the schedule was not approved.';
  const advice = 'Schedule it again to ask for approval.';
  return refuse(run, deniedProblem({ message, advice }), services);
}
