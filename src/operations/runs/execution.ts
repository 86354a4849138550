import type { Logger } from 'pino';
import { RackhandError } from '../../error.ts';
import type { CallData } from '../../hosting/client.ts';
import type { Endpoint } from '../../hosting/endpoint.ts';
import { HostingError } from '../../hosting/hosting-error.ts';
import { type Bench, type ChangeOperation, endpointOf, titleOf } from '../operation.ts';
import type { Fact, NextStep, Outcome, ToldOutcome } from '../outcome.ts';
import type { Following } from './following.ts';
import type { Persistently } from './persistently.ts';
import { explain, type Problem } from './problem.ts';
import type { Announce, Run, RunEnd, SettledStatus } from './run.ts';
import type { RunStore } from './run-store.ts';
import { type SecretKeeper, withoutSecrets } from './secret-keeper.ts';
import { answerable, type Settle, underWay } from './settling.ts';

interface ExecutionParts {
  readonly runs: RunStore;
  readonly conclude: Settle;
  readonly announce: Announce;
  readonly following: Pick<Following, 'begin'>;
  readonly secrets: SecretKeeper;
  readonly owner: string;
  readonly persistently: Persistently;
  readonly log: Pick<Logger, 'error'>;
  readonly now: () => number;
}

const secretsLost = 'What it answered to be shown once could not be kept, and is lost: have it made anew.';

/** What a queued run is executed with. */
export interface QueuedChange extends Bench {
  readonly run: Run;
  readonly operation: ChangeOperation;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Takes a queued run to its end: a slot, the mark `sent`, the call, the outcome. Throws only when the end cannot be recorded. */
export type Execute = (change: QueuedChange) => Promise<void>;

/** Creates the only place that makes a call which changes something. */
export function createExecution(parts: ExecutionParts): Execute {
  const { runs, conclude, announce, following, secrets, owner, persistently, log, now } = parts;

  // The service has done it: nothing that fails from here on may make it look otherwise.

  function understood(data: CallData<Endpoint>, { run, operation, input }: QueuedChange): Outcome {
    try {
      return operation.outcome(data, input, run.called);
    } catch (error) {
      log.error({ err: error, runId: run.id }, 'the answer to a run was not understood');
      return {
        title: titleOf(operation, input, run.called),
        notes: ['What the service answered was not understood.'],
      };
    }
  }

  async function keepSecrets({ id: runId, asker }: Run, outcome: Outcome): Promise<ToldOutcome> {
    const what = 'the secrets of a run could not be kept';
    try {
      return await persistently(() => withoutSecrets(outcome, secrets, { runId, asker }), { runId, what });
    } catch (error) {
      log.error({ err: error, runId }, what);
      const { secrets: _, ...told } = outcome;
      return { ...told, notes: [...(told.notes ?? []), secretsLost] };
    }
  }

  async function follow(run: Run): Promise<void> {
    const what = 'a run could not be followed';
    try {
      await persistently(() => following.begin(run), { runId: run.id, what });
    } catch (error) {
      log.error({ err: error, runId: run.id }, what);
    }
  }

  return async (change) => {
    const { operation, input, hosting } = change;
    let { run } = change;
    let data: CallData<Endpoint>;
    try {
      data = await hosting.call(endpointOf(operation, input), operation.request(input), {
        lane: 'people',
        notAfterMs: run.notAfterMs ?? now(),
        onQueued: (waitMs) => announce(run, { waitMs }),
        async beforeLeaving() {
          // A call that never left is repeated: it is the same sending, marked already.
          if (run.status === 'sent') return;
          if (!(await runs.send(run.id, owner, now()))) throw tooLate();
          run = { ...run, status: 'sent' };
          announce(run);
        },
      });
    } catch (error) {
      // This process ends before the call has left: the next one goes on with it.
      if (error instanceof RackhandError && error.code === 'stopped' && run.status === 'queued') return;
      const end = await endAfter(error, { ...change, run });
      await conclude(run, end.status === 'failed' ? answerable : underWay, end);
      return;
    }
    const outcome = await keepSecrets(run, understood(data, { ...change, run }));
    await follow(run);
    await conclude(run, answerable, { status: 'done', result: { kind: 'outcome', outcome } });
  };
}

async function endAfter(error: unknown, change: QueuedChange): Promise<RunEnd> {
  const { run, operation } = change;
  const status = statusAfter(error, run);
  const facts = status === 'unknown' ? await readBack(change) : [];
  const explained = explain(error, { changing: run.status === 'sent' });
  const isInDoubt = status === 'unknown' || explained.code === 'service_failed';
  const steps = [
    ...(isInDoubt ? lookSteps(run) : []),
    ...(explained.steps ?? []),
    ...(status === 'failed' ? retrySteps(explained.code, operation, run) : []),
  ];
  const problem: Problem = { ...explained, facts, steps };
  return { status, result: { kind: 'problem', problem } };
}

/** Nothing is unknown of a call that had not been marked as sent, or that the service has answered. */
function statusAfter(error: unknown, { status }: Run): SettledStatus {
  if (status !== 'sent') {
    return error instanceof RackhandError && error.code === 'deadline_passed' ? 'expired' : 'failed';
  }
  return error instanceof HostingError && error.failure.fate !== 'unknown' ? 'failed' : 'unknown';
}

/** What the service refused can be edited, the form filled as it was; what surely did not happen can be tried again as it is. */
function retrySteps(code: Problem['code'], { name }: ChangeOperation, { input }: Run): readonly NextStep[] {
  const edit = { label: 'Edit', operation: name, input, opensForm: true };
  const retry = { label: 'Retry', operation: name, input };
  return code === 'refused' ? [edit, retry] : [retry];
}

/** Whoever does not know what became of a VPS looks at it. */
export function lookSteps({ input: { vps } }: Run): readonly NextStep[] {
  return typeof vps === 'string' ? [{ label: 'Show', operation: 'show', input: { vps } }] : [];
}

function tooLate(): RackhandError {
  return new RackhandError('deadline_passed', 'It could not be sent in time.');
}

/** Reads what can be read of the target after a call whose fate is not known. */
export async function readBack({
  operation,
  input,
  context,
}: Omit<QueuedChange, 'run'>): Promise<readonly Fact[]> {
  try {
    return (await operation.present?.(context, input))?.facts ?? [];
  } catch {
    // The service is in trouble; that the fate is not known has been said already.
    return [];
  }
}
