import { RackhandError } from '../../errors.ts';
import { toProblem } from '../problem.ts';
import type { WaitingRun } from '../run.ts';
import { findStatedReason } from '../stated-reason.ts';
import type { ChangeRun } from './run-context.ts';
import { refuse } from './run-ends.ts';
import type { RunRules, RunServices } from './run-services.ts';
import { type Next, next } from './step.ts';

export async function lacksReason(
  { run, operation, parsed }: Pick<ChangeRun, 'run' | 'operation' | 'parsed'>,
  { isReasonRequired }: RunRules,
): Promise<boolean> {
  return (
    findStatedReason(run) === undefined && (await isReasonRequired(run.actor.teamId, operation, parsed.input))
  );
}

/** Refuses a scheduled change if the team requires a reason and none was given, because there's no one to ask. */
export async function requireReasonOfSchedule<Context extends ChangeRun<WaitingRun>>(
  change: Context,
  services: RunServices,
): Promise<Next<Context>> {
  if (!(await lacksReason(change, services))) return next(change);
  const message = 'Your team requires a reason for this, and the schedule has none.';
  const problem = toProblem(new RackhandError('input_invalid', message), { isChanging: false });
  const advice = 'Delete the schedule, and schedule the command again with --reason.';
  return refuse(change.run, { ...problem, advice }, services);
}
