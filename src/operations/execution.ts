import { RackhandError } from '../error.ts';
import { HostingError } from '../hosting/hosting-error.ts';
import type { Bench, ChangeOperation } from './operation.ts';
import { explain } from './problem.ts';
import type { Announce, Run, RunResult, SettledStatus } from './run.ts';
import type { RunStore } from './run-store.ts';

interface ExecutionParts {
  readonly runs: RunStore;
  readonly announce: Announce;
  readonly owner: string;
  readonly now: () => number;
}

/** What a queued run is executed with. */
export interface QueuedChange extends Bench {
  readonly run: Run;
  readonly operation: ChangeOperation;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Takes a queued run to its end: a slot, the mark `sent`, the call, the outcome. Never throws for what the service does. */
export type Execute = (change: QueuedChange) => Promise<void>;

/** Creates the only place that makes a call which changes something. */
export function createExecution({ runs, announce, owner, now }: ExecutionParts): Execute {
  async function call({ run, operation, input, hosting }: QueuedChange): Promise<RunResult> {
    let isSent = false;
    const data = await hosting.call(operation.change, operation.request(input), {
      lane: 'people',
      notAfterMs: run.notAfterMs ?? now(),
      onQueued: (waitMs) => announce(run, { waitMs }),
      async beforeLeaving() {
        // A call that never left is repeated: it is the same sending, marked already.
        if (isSent) return;
        isSent = await runs.send(run.id, owner, now());
        if (!isSent)
          throw new RackhandError(
            'deadline_passed',
            'The run had lapsed, or was taken over, before its call could leave.',
          );
        announce({ ...run, status: 'sent' });
      },
    });
    return { kind: 'outcome', outcome: operation.outcome(data, input) };
  }

  async function settle(run: Run, status: SettledStatus, result: RunResult): Promise<void> {
    const settledMs = now();
    if (await runs.settle({ id: run.id, owner, status, result, nowMs: settledMs })) {
      announce({ ...run, status, result, settledMs });
    }
  }

  return async (change) => {
    try {
      await settle(change.run, 'done', await call(change));
    } catch (error) {
      // This process ends before the call has left: the next one goes on with it.
      if (error instanceof RackhandError && error.code === 'stopped') return;
      const status = statusAfter(error);
      const problem = explain(error, { changing: status !== 'expired' });
      const facts = status === 'unknown' ? await readBack(change) : [];
      await settle(change.run, status, { kind: 'problem', problem: { ...problem, facts } });
    }
  };
}

function statusAfter(error: unknown): SettledStatus {
  if (error instanceof HostingError) return error.failure.fate === 'unknown' ? 'unknown' : 'failed';
  if (!(error instanceof RackhandError) || error.code === 'service_timeout') return 'unknown';
  return error.code === 'deadline_passed' ? 'expired' : 'failed';
}

/** Reads what can be read of the target after a call whose fate is not known. */
export async function readBack({
  operation,
  input,
  context,
}: Pick<QueuedChange, 'operation' | 'input' | 'context'>) {
  try {
    return (await operation.present?.(context, input))?.facts ?? [];
  } catch {
    // The service is in trouble; that the fate is not known has been said already.
    return [];
  }
}
