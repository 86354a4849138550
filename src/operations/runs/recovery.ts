import { HostingError } from '../../hosting/hosting-error.ts';
import type { Catalogue } from '../catalogue.ts';
import { parseInput } from '../input.ts';
import type { Bench } from '../operation.ts';
import { type Execute, lookSteps, readBack } from './execution.ts';
import { explain, interrupted } from './problem.ts';
import type { Run } from './run.ts';
import { type Settle, underWay } from './settling.ts';

interface RecoveryParts {
  readonly catalogue: Catalogue;
  readonly benchFor: (run: Run) => Bench;
  readonly execute: Execute;
  readonly conclude: Settle;
}

/** Brings a run to its end that nobody works on any more: what is queued goes on, what was sent is never sent again. */
export type Recover = (run: Run) => Promise<void>;

/** Creates what brings the runs to an end that a crash, or a failure, has left. */
export function createRecovery({ catalogue, benchFor, execute, conclude }: RecoveryParts): Recover {
  return async (run) => {
    const operation = catalogue.find(run.operation);
    const parsed = operation && parseInput(operation, run.input);
    if (run.status === 'waiting') {
      const problem = interrupted('Rackhand could not finish asking a second person.', { changing: false });
      await conclude(run, ['waiting'], { status: 'expired', result: { kind: 'problem', problem } });
      return;
    }
    if (operation?.kind !== 'change' || !parsed?.ok) {
      const changing = run.status === 'sent' || operation?.kind === 'own';
      const problem = interrupted('Rackhand was restarted before it could answer.', { changing });
      const status = changing ? 'unknown' : 'expired';
      await conclude(run, underWay, { status, result: { kind: 'problem', problem } });
      return;
    }
    const change = { operation, input: parsed.input, ...benchFor(run) };
    if (run.status === 'queued') return execute({ run, ...change });
    const error = new HostingError('stopped', 'Rackhand was stopped while the call was under way.', {
      fate: 'unknown',
    });
    const explained = explain(error, { changing: true });
    const problem = { ...explained, facts: await readBack(change), steps: lookSteps(run) };
    await conclude(run, underWay, { status: 'unknown', result: { kind: 'problem', problem } });
  };
}
