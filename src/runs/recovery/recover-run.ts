import { HostingError } from '../../hosting/hosting-error.ts';
import { hasParts } from '../parts/execute-parts.ts';
import type { RunServices } from '../pipeline/run-services.ts';
import { activeStatuses } from '../pipeline/run-settler.ts';
import { settleUnsuccessful } from '../pipeline/sending/failed-call.ts';
import { readStoredChange } from '../pipeline/unreadable-runs.ts';
import { executeRun } from '../pipeline.ts';
import { interruptedProblem, type Problem, unreadableRunProblem } from '../problem.ts';
import { createProblemEnd, type Run, type UnsuccessfulStatus } from '../run.ts';

/**
 * Finishes a run on which no process is working. A queued change is executed; a sent one is never
 * sent again. A run that can't be read is set aside.
 */
export async function recoverRun(run: Run, services: RunServices): Promise<void> {
  const { catalogue, openEnvironment } = services;
  if (run.settledMs !== null) return;
  if (run.status === 'waiting') {
    const message = run.approval
      ? 'Rackhand stopped before it could ask for approval.'
      : 'Rackhand restarted while it was checking this request.';
    return settle(run, 'expired', interruptedProblem(message, { isChanging: false }, run), services);
  }
  const kind = catalogue.find(run.operation)?.kind;
  if (kind === 'read' || kind === 'local') {
    const isChanging = kind === 'local';
    const problem = interruptedProblem(
      'Rackhand was interrupted before it could reply.',
      { isChanging },
      run,
    );
    return settle(run, isChanging ? 'unknown' : 'expired', problem, services);
  }
  const stored = readStoredChange(run, catalogue);
  if (stored.kind === 'unreadable') {
    services.unreadableRuns.add(run, stored.reason);
    // Only a change has a title. Other operations can change Rackhand's own data before they reply.
    const isChanging = run.status === 'sent' || run.title === null;
    return settle(run, isChanging ? 'unknown' : 'expired', unreadableRunProblem({ isChanging }), services);
  }
  const { operation, parsed } = stored;
  const change = { run, operation, parsed, sendByMs: run.expiresMs ?? 0, ...openEnvironment(run) };
  // A batch, and a change that waits for its snapshot, make no call themselves.
  if (run.status === 'queued' || hasParts(change)) return executeRun(change, services);
  const message = 'Rackhand stopped during the call.';
  const error = new HostingError('stopped', message, { sendState: 'unknown' });
  await settleUnsuccessful(error, change, services, { wasSent: true });
}

async function settle(
  run: Run,
  status: UnsuccessfulStatus,
  problem: Problem,
  { settleAndShow }: RunServices,
): Promise<void> {
  const from = run.status === 'waiting' ? (['waiting'] as const) : activeStatuses;
  await settleAndShow(run, from, createProblemEnd(status, problem));
}
