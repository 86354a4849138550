import { RackhandError } from '../error.ts';
import { HostingError } from '../hosting/hosting-error.ts';
import type { Catalogue } from './catalogue.ts';
import { type Execute, readBack } from './execution.ts';
import { parseInput } from './input.ts';
import type { Bench } from './operation.ts';
import { explain } from './problem.ts';
import type { Announce, Run, SettledStatus } from './run.ts';
import type { Lease, RunStore } from './run-store.ts';

interface RecoveryParts {
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  readonly benchFor: (teamId: string) => Bench;
  readonly execute: Execute;
  readonly announce: Announce;
  readonly now: () => number;
}

/** Takes over the runs of a process that is gone: what is queued goes on, what was sent is never sent again. */
export type Recover = (lease: Lease, leaseBeforeMs: number) => Promise<void>;

/** Creates what brings the runs of a process that is gone to an end. */
export function createRecovery({
  runs,
  catalogue,
  benchFor,
  execute,
  announce,
  now,
}: RecoveryParts): Recover {
  async function settle(
    run: Run,
    owner: string,
    status: SettledStatus,
    error: Error,
    facts: Awaited<ReturnType<typeof readBack>> = [],
  ) {
    const problem = { ...explain(error, { changing: status === 'unknown' }), facts };
    const settled = {
      id: run.id,
      owner,
      status,
      result: { kind: 'problem', problem } as const,
      nowMs: now(),
    };
    if (await runs.settle(settled))
      announce({ ...run, status, result: settled.result, settledMs: settled.nowMs });
  }

  async function bringToEnd(run: Run, owner: string): Promise<void> {
    const operation = catalogue.find(run.operation);
    const parsed = operation && parseInput(operation, run.input);
    if (operation?.kind !== 'change' || !parsed?.ok) {
      return settle(
        run,
        owner,
        'expired',
        new RackhandError('stopped', 'Rackhand was restarted before it could answer.'),
      );
    }
    const { input } = parsed;
    if (run.status === 'queued') return execute({ run, operation, input, ...benchFor(run.asker.teamId) });
    const lost = new HostingError('stopped', 'Rackhand was stopped while the call was under way.', {
      fate: 'unknown',
    });
    const { context } = benchFor(run.asker.teamId);
    return settle(run, owner, 'unknown', lost, await readBack({ operation, input, context }));
  }

  return async (lease, leaseBeforeMs) => {
    const orphans = await runs.adopt(lease, leaseBeforeMs);
    await Promise.all(
      orphans.map(async (run) => {
        try {
          await bringToEnd(run, lease.owner);
        } catch (error) {
          await settle(
            run,
            lease.owner,
            run.status === 'sent' ? 'unknown' : 'failed',
            error instanceof Error ? error : new Error(String(error)),
          );
        }
      }),
    );
  };
}
