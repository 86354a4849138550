import { formatTitle, resolveEndpoint } from '../../../operations/define/inspect-operation.ts';
import type { NextStep, Outcome, RedactedOutcome } from '../../../operations/define/outcome.ts';
import { hideSecrets, listNames } from '../../../operations/format/hide-secrets.ts';
import { labelOutcome, toVpsLabels } from '../../../operations/format/label-vps.ts';
import { parseFingerprint, toFingerprint } from '../../../operations/format/target-state.ts';
import { storeSecrets } from '../../secrets/secret-store.ts';
import { fitToRights } from '../fit-to-rights.ts';
import type { ChangeRun } from '../run-context.ts';
import type { RunExecution, RunRecords, RunServices } from '../run-services.ts';
import { settleableStatuses } from '../run-settler.ts';
import { end, type Next, next } from '../step.ts';
import type { AnsweredRun } from './send.ts';

// The service has made the change, so a failure from here on must not report it as failed.

/** How long after a change it can be undone with a button. */
const undoTtlMs = 15 * 60_000;

const secretsLostNote = 'The secret was lost before it could be shown. Generate a new one.';

interface DoneRun extends ChangeRun {
  readonly outcome: RedactedOutcome;
}

/** Reads the response, and stores its secrets separately from the outcome. */
export async function readOutcome(answered: AnsweredRun, services: RunServices): Promise<Next<DoneRun>> {
  const { run } = answered;
  const { secrets, withRetry, log } = services;
  const outcome = await fitIfPossible(await parseOutcome(answered, services), answered, services);
  const { id: runId, actor } = run;
  const failure = 'could not store the secrets of a run';
  try {
    const store = () => storeSecrets(outcome, secrets, { runId, actor });
    return next({ ...answered, outcome: await withRetry(store, { runId, failure }) });
  } catch (error) {
    log.error({ err: error, runId }, failure);
    const { secrets: _, ...redacted } = outcome;
    const notes = [...(redacted.notes ?? []), secretsLostNote];
    return next({ ...answered, outcome: { ...redacted, notes } });
  }
}

/**
 * Limits an outcome to the actor's rights. If the rights can't be looked up now, keeps all buttons,
 * because the change must still be reported.
 */
async function fitIfPossible(
  outcome: Outcome,
  answered: AnsweredRun,
  services: RunServices,
): Promise<Outcome> {
  try {
    return await fitToRights(outcome, answered, services);
  } catch (error) {
    services.log.error(
      { err: error, runId: answered.run.id },
      'could not look up rights for the buttons of a run',
    );
    return outcome;
  }
}

async function parseOutcome(answered: AnsweredRun, { log, now }: RunRecords): Promise<Outcome> {
  const { run, operation, parsed, data } = answered;
  try {
    const { hasCredentials } = resolveEndpoint(operation, parsed.input);
    const payload = { data, hasCredentials };
    const outcome = await hideSecrets(
      operation.outcome(data, parsed.input, run.displayNames),
      [payload],
      listNames(run),
    );
    const next = [...createUndoSteps(answered, now()), ...(outcome.next ?? [])];
    return labelOutcome({ ...outcome, next }, toVpsLabels(run.displayNames));
  } catch (error) {
    log.error({ err: error, runId: run.id }, 'could not read the response to a run');
    return {
      title: formatTitle(operation, parsed.input, run.displayNames),
      notes: ["Done, but Rackhand couldn't read the service's response."],
    };
  }
}

/**
 * Returns the step that undoes a change. Returns none if the previous state wasn't read, or isn't enough to restore
 * it.
 */
function createUndoSteps({ run, operation, parsed }: ChangeRun, nowMs: number): readonly NextStep[] {
  if (!operation.undo || run.confirmedState.kind !== 'state') return [];
  const undo = operation.undo(parsed.input, parseFingerprint(run.confirmedState.fingerprint));
  if (!undo) return [];
  const { label, operation: name, input, expected } = undo;
  const limits = { expectedState: toFingerprint(expected), untilMs: nowMs + undoTtlMs };
  return [{ label, operation: name, input, isUncertain: true, undo: limits }];
}

/** Schedules progress polls before the run is settled, so a crash in between loses nothing. */
export async function planProgressPolls(
  done: DoneRun,
  { progressPoller }: RunExecution,
): Promise<Next<DoneRun>> {
  await progressPoller.start(done);
  return next(done);
}

/** Settles the run and updates its message. A late answer also settles an `unknown` run. */
export async function settleDone(
  { run, outcome }: DoneRun,
  { settleAndShow }: RunRecords,
): Promise<Next<never>> {
  await settleAndShow(run, settleableStatuses, { status: 'done', result: { kind: 'outcome', outcome } });
  return end({ kind: 'started' });
}
