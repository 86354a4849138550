import type { Logger } from 'pino';
import { RackhandError } from '../../errors.ts';
import type { CallData } from '../../hosting/client/hosting-client.ts';
import type { Endpoint } from '../../hosting/endpoints/endpoint.ts';
import { HostingError } from '../../hosting/hosting-error.ts';
import { formatTitle, resolveEndpoint } from '../../operations/define/inspect-operation.ts';
import type { ChangeOperation } from '../../operations/define/operation.ts';
import type { Fact, NextStep, Outcome, RedactedOutcome } from '../../operations/define/outcome.ts';
import { labelOutcome } from '../../operations/format/label-vps.ts';
import { type Problem, toProblem } from '../problem.ts';
import type { ProgressPoller } from '../progress/progress-poller.ts';
import type { Announce, Run, RunSettlement, SettledStatus } from '../run.ts';
import type { RunContext } from '../run-context.ts';
import { type SecretStore, storeSecrets } from '../secrets/secret-store.ts';
import type { RunStore } from '../store/run-store.ts';
import type { WithRetry } from '../with-retry.ts';
import { activeStatuses, type Settle, settleableStatuses } from './run-settler.ts';
import { type AssertSendable, SendDeniedError } from './send-guard.ts';

interface ExecutionDependencies {
  readonly runs: RunStore;
  readonly settleAndAnnounce: Settle;
  readonly announce: Announce;
  readonly progressPoller: Pick<ProgressPoller, 'start'>;
  readonly secrets: SecretStore;
  readonly assertSendable: AssertSendable;
  readonly owner: string;
  readonly withRetry: WithRetry;
  readonly log: Pick<Logger, 'error'>;
  readonly now: () => number;
}

const secretsLostNote = 'The secret was lost before it could be shown. Generate a new one.';

/** A run of a change, with everything needed to execute it. */
export interface QueuedChange extends RunContext {
  readonly run: Run;
  readonly operation: ChangeOperation;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Executes a queued run: waits for a slot, checks that the run is still allowed, marks it as sent,
 * makes the call, and settles the run. Throws only if the end can't be recorded.
 */
export type Execute = (change: QueuedChange) => Promise<void>;

/** Creates the only function that makes calls that change something. */
export function createExecution(dependencies: ExecutionDependencies): Execute {
  const { runs, settleAndAnnounce, announce, progressPoller, secrets, assertSendable } = dependencies;
  const { owner, withRetry, log, now } = dependencies;

  // The service has made the change, so a failure from here on must not report it as failed.

  function parseOutcome(data: CallData<Endpoint>, { run, operation, input }: QueuedChange): Outcome {
    try {
      return labelOutcome(operation.outcome(data, input, run.displayNames), run.displayNames);
    } catch (error) {
      log.error({ err: error, runId: run.id }, 'could not read the response to a run');
      return {
        title: formatTitle(operation, input, run.displayNames),
        notes: ["Done, but Rackhand couldn't read the service's response."],
      };
    }
  }

  async function storeSecretsWithRetry(
    { id: runId, actor }: Run,
    outcome: Outcome,
  ): Promise<RedactedOutcome> {
    const failure = 'could not store the secrets of a run';
    try {
      return await withRetry(() => storeSecrets(outcome, secrets, { runId, actor }), { runId, failure });
    } catch (error) {
      log.error({ err: error, runId }, failure);
      const { secrets: _, ...redacted } = outcome;
      return { ...redacted, notes: [...(redacted.notes ?? []), secretsLostNote] };
    }
  }

  async function startPolling(run: Run): Promise<void> {
    const failure = 'could not start polling the progress of a run';
    try {
      await withRetry(() => progressPoller.start(run), { runId: run.id, failure });
    } catch (error) {
      log.error({ err: error, runId: run.id }, failure);
    }
  }

  return async (change) => {
    const { operation, input, hosting } = change;
    let { run } = change;
    let data: CallData<Endpoint>;
    try {
      data = await hosting.call(resolveEndpoint(operation, input), operation.request(input), {
        lane: 'people',
        notAfterMs: run.expiresMs ?? now(),
        onQueued: (waitMs) => announce(run, { waitMs }),
        async beforeSend() {
          // A retry of a call that certainly wasn't sent. The run is already marked as sent.
          if (run.status === 'sent') return;
          await assertSendable(run, operation);
          if (!(await runs.markSent(run.id, owner, now()))) throw createSendDeadlineError();
          run = { ...run, status: 'sent' };
          announce(run);
        },
      });
    } catch (error) {
      // This process is stopping before the call was sent. The next process continues the run.
      if (error instanceof RackhandError && error.code === 'stopped' && run.status === 'queued') return;
      const end = await toSettlement(error, { ...change, run });
      await settleAndAnnounce(run, end.status === 'failed' ? settleableStatuses : activeStatuses, end);
      return;
    }
    const outcome = await storeSecretsWithRetry(run, parseOutcome(data, { ...change, run }));
    await startPolling(run);
    await settleAndAnnounce(run, settleableStatuses, {
      status: 'done',
      result: { kind: 'outcome', outcome },
    });
  };
}

async function toSettlement(error: unknown, change: QueuedChange): Promise<RunSettlement> {
  if (error instanceof SendDeniedError)
    return { status: 'refused', result: { kind: 'problem', problem: error.problem } };
  const { run, operation } = change;
  const status = toSettledStatus(error, run);
  const facts = status === 'unknown' ? await readTargetFacts(change) : [];
  const base = toProblem(error, { isChanging: run.status === 'sent' });
  const isOutcomeUnclear = status === 'unknown' || base.code === 'service_failed';
  const nextSteps = [
    ...(isOutcomeUnclear ? createShowSteps(run) : []),
    ...(base.nextSteps ?? []),
    ...(status === 'failed' ? createRetrySteps(base.code, operation, run) : []),
  ];
  const problem: Problem = { ...base, facts, nextSteps };
  return { status, result: { kind: 'problem', problem } };
}

/**
 * Returns how a failed run ended. The outcome is unknown only if the call was sent and the service
 * didn't answer.
 */
function toSettledStatus(error: unknown, { status }: Run): SettledStatus {
  if (status !== 'sent') {
    return error instanceof RackhandError && error.code === 'deadline_passed' ? 'expired' : 'failed';
  }
  return error instanceof HostingError && error.failure.sendState !== 'unknown' ? 'failed' : 'unknown';
}

/** Offers a retry. For a rejected request, also offers the form with the same values. */
function createRetrySteps(
  code: Problem['code'],
  { name }: ChangeOperation,
  { input }: Run,
): readonly NextStep[] {
  const edit = { label: 'Edit and Retry', operation: name, input, opensForm: true };
  const retry = { label: 'Try Again', operation: name, input };
  return code === 'refused' ? [edit, retry] : [retry];
}

/** Offers to show the VPS whose state is unknown. */
export function createShowSteps({ input: { vps } }: Run): readonly NextStep[] {
  return typeof vps === 'string' ? [{ label: 'Show', operation: 'show', input: { vps } }] : [];
}

function createSendDeadlineError(): RackhandError {
  return new RackhandError('deadline_passed', "The request couldn't be sent in time.");
}

/** Reads the target's state after a call whose outcome is unknown. Returns no facts if that fails too. */
export async function readTargetFacts({
  operation,
  input,
  operationContext,
}: Omit<QueuedChange, 'run'>): Promise<readonly Fact[]> {
  try {
    return (await operation.readTargetState?.(operationContext, input))?.facts ?? [];
  } catch {
    return [];
  }
}
