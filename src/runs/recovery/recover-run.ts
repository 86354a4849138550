import { HostingError } from '../../hosting/hosting-error.ts';
import { parseInput } from '../../operations/define/input.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import { createShowSteps, type Execute, readTargetFacts } from '../pipeline/execution.ts';
import { activeStatuses, type Settle } from '../pipeline/run-settler.ts';
import { interruptedProblem, toProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import type { RunContext } from '../run-context.ts';

interface RecoveryDependencies {
  readonly catalogue: Catalogue;
  readonly createRunContext: (run: Run) => RunContext;
  readonly execute: Execute;
  readonly settleAndAnnounce: Settle;
}

/**
 * Finishes a run on which no process is working. A queued run is executed; a sent run is never sent
 * again.
 */
export type RecoverRun = (run: Run) => Promise<void>;

export function createRecoverRun({
  catalogue,
  createRunContext,
  execute,
  settleAndAnnounce,
}: RecoveryDependencies): RecoverRun {
  return async (run) => {
    const operation = catalogue.find(run.operation);
    const parsed = operation && parseInput(operation, run.input);
    if (run.status === 'waiting') {
      const problem = interruptedProblem('Rackhand stopped before it could ask for approval.', {
        isChanging: false,
      });
      await settleAndAnnounce(run, ['waiting'], { status: 'expired', result: { kind: 'problem', problem } });
      return;
    }
    if (operation?.kind !== 'change' || parsed?.kind !== 'valid') {
      const isChanging = run.status === 'sent' || operation?.kind === 'local';
      const problem = interruptedProblem('Rackhand restarted before it could reply.', { isChanging });
      const status = isChanging ? 'unknown' : 'expired';
      await settleAndAnnounce(run, activeStatuses, { status, result: { kind: 'problem', problem } });
      return;
    }
    const change = { operation, input: parsed.input, ...createRunContext(run) };
    if (run.status === 'queued') return execute({ run, ...change });
    const error = new HostingError('stopped', 'Rackhand stopped during the call.', {
      sendState: 'unknown',
    });
    const base = toProblem(error, { isChanging: true });
    const problem = { ...base, facts: await readTargetFacts(change), nextSteps: createShowSteps(run) };
    await settleAndAnnounce(run, activeStatuses, { status: 'unknown', result: { kind: 'problem', problem } });
  };
}
