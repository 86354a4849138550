import { RackhandError } from '../../../errors.ts';
import { HostingError } from '../../../hosting/hosting-error.ts';
import type { ChangeOperation } from '../../../operations/define/operation.ts';
import type { Fact, NextStep } from '../../../operations/define/outcome.ts';
import { type Problem, toProblem } from '../../problem.ts';
import { createProblemEnd, type Run, type UnsuccessfulStatus } from '../../run.ts';
import { labelShownFacts } from '../names/label-shown-vps.ts';
import type { ChangeRun } from '../run-context.ts';
import type { RunExecution, RunRecords } from '../run-services.ts';
import { settleableStatuses } from '../run-settler.ts';

/** Settles a run whose call failed, wasn't sent in time, or wasn't answered. */
export async function settleUnsuccessful(
  error: unknown,
  change: ChangeRun,
  services: RunRecords & RunExecution,
  { wasSent }: { readonly wasSent: boolean },
): Promise<void> {
  const status = toSettledStatus(error, wasSent);
  const problem = await describeFailure(error, status, { ...change, wasSent });
  const { run } = change;
  // Only the service's answer can replace `unknown`. A process that lost the run and got it back
  // doesn't know whether another process sent the call.
  const from = status === 'failed' && run.status === 'sent' ? settleableStatuses : [run.status];
  // Shows what happens to the target, although it's unknown whether the call was carried out.
  if (status === 'unknown') await services.progressPoller.start(change);
  await services.settleAndShow(run, from, createProblemEnd(status, problem));
}

/** Returns `unknown` only if the call was sent and the service didn't answer. */
function toSettledStatus(error: unknown, wasSent: boolean): UnsuccessfulStatus {
  // Nothing was sent before the deadline, even by earlier attempts.
  if (error instanceof RackhandError && error.code === 'deadline_passed') return 'expired';
  if (!wasSent) return 'failed';
  return error instanceof HostingError && error.failure.sendState !== 'unknown' ? 'failed' : 'unknown';
}

async function describeFailure(
  error: unknown,
  status: UnsuccessfulStatus,
  change: ChangeRun & { readonly wasSent: boolean },
): Promise<Problem> {
  const { run, operation, wasSent } = change;
  const problem = toProblem(error, { isChanging: wasSent && status !== 'expired' });
  const isOutcomeUnclear = status === 'unknown' || problem.code === 'service_failed';
  const nextSteps = [
    ...(isOutcomeUnclear ? createShowSteps(run) : []),
    ...(problem.nextSteps ?? []),
    ...(status === 'failed' ? createRetrySteps(problem.code, operation, run) : []),
  ];
  return { ...problem, facts: status === 'unknown' ? await readTargetFacts(change) : [], nextSteps };
}

/** Offers a retry. If the service refused the request, also offers the form with the same values. */
function createRetrySteps(
  code: Problem['code'],
  { name }: ChangeOperation,
  { input }: Run,
): readonly NextStep[] {
  const edit = { label: 'Edit and Retry', operation: name, input, opensForm: true };
  const retry = { label: 'Try Again', operation: name, input };
  return code === 'refused' ? [edit, retry] : [retry];
}

function createShowSteps({ input: { vps } }: Run): readonly NextStep[] {
  return typeof vps === 'string' ? [{ label: 'Show', operation: 'show', input: { vps } }] : [];
}

/** Reads the target's state after a call whose outcome is unknown. Returns no facts if the read fails too. */
async function readTargetFacts(change: ChangeRun): Promise<readonly Fact[]> {
  const { operation, parsed, operationContext } = change;
  try {
    const { facts = [] } = (await operation.readTargetState?.(operationContext, parsed.input)) ?? {};
    return await labelShownFacts(facts, change);
  } catch {
    return [];
  }
}
