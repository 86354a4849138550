import { RackhandError } from '../../errors.ts';
import type { OperationContext } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { Read } from '../../operations/define/read.ts';
import { hideSecrets, listNames, type ShownPayload } from '../../operations/format/hide-secrets.ts';
import { labelOutcome, labelSentences, toVpsLabels } from '../../operations/format/label-vps.ts';
import type { WaitingRun } from '../run.ts';
import { storeSecrets } from '../secrets/secret-store.ts';
import { fitToRights } from './fit-to-rights.ts';
import { findShownLabels } from './names/label-shown-vps.ts';
import type { ChangeRun, ValidRun } from './run-context.ts';
import { replyNoLongerWaiting } from './run-ends.ts';
import type { RunServices } from './run-services.ts';
import { end, type Next, next } from './step.ts';

/** Runs an operation that changes nothing at the hosting service, and ends with its outcome. */
export async function runUnlessChange(
  valid: ValidRun,
  services: RunServices,
): Promise<Next<ChangeRun<WaitingRun> & ValidRun>> {
  const { run, operation, parsed, operationContext, localChange } = valid;
  const { secrets, settle, sharedReadMs, stopping } = services;
  if (operation.kind === 'change')
    return run.status === 'waiting'
      ? next({ ...valid, run, operation })
      : end(await replyNoLongerWaiting(run, services));
  if (operation.kind === 'local') {
    if (!localChange.canBegin || stopping.aborted)
      throw new RackhandError('stopped', 'Rackhand is stopping.');
    localChange.hasBegun = true;
  }
  const { id: runId, actor } = run;
  const isRead = operation.kind === 'read';
  const { context, withAge } = shareRecentReads(operationContext, isRead ? sharedReadMs : 0);
  const payloads: ShownPayload[] = [];
  const read: Read = async (endpoint, input, options) => {
    const data = await context.read(endpoint, input, options);
    payloads.push({ data, hasCredentials: endpoint.hasCredentials });
    return data;
  };
  const answered = await operation.run({ ...context, read }, parsed.input);
  const hidden = await hideSecrets(withAge(answered), payloads, listNames(run));
  // A list may be incomplete, because the process stopped while reading it.
  if (isRead && valid.wasStopped()) throw new RackhandError('stopped', 'Rackhand is stopping.');
  const result = await fitToRights(hidden, valid, services);
  const shown = { operation, input: parsed.input, displayNames: run.displayNames };
  // Local operations label VPS in their facts and tables themselves, because those also contain the
  // names of reports and watches.
  const labelled = isRead
    ? labelOutcome(result, await findShownLabels(result, shown, operationContext))
    : labelSentences(result, toVpsLabels(run.displayNames));
  const redacted = await storeSecrets(labelled, secrets, { runId, actor });
  // Charts are part of the reply but aren't stored.
  const { chart: _, ...outcome } = redacted;
  const done = { status: 'done', result: { kind: 'outcome', outcome } } as const;
  if (isRead) return end({ kind: 'outcome', runId, outcome: redacted, unrecorded: { run, end: done } });
  // The run may have been settled as unknown since it began.
  await settle(run, ['queued', 'unknown'], done);
  return end({ kind: 'outcome', runId, outcome: redacted });
}

/** Minimum age at which an answer states its age. */
const statedAgeMs = 1_000;

interface RecentReads {
  readonly context: OperationContext;
  /** Adds a note with the age of the oldest shared response, if the read used any. */
  readonly withAge: (outcome: Outcome) => Outcome;
}

/**
 * Lets a read use responses to other people's reads that are at most `maxAgeMs` old. Only the payload is
 * shared. Each person's rights decide which parts they see.
 */
export function shareRecentReads(context: OperationContext, maxAgeMs: number): RecentReads {
  let oldestMs = 0;
  const read: Read = (endpoint, input, options) =>
    context.read(
      endpoint,
      input,
      // A read that sets its own maximum age, such as a read of names, doesn't show the data as current.
      options?.maxAgeMs !== undefined
        ? options
        : {
            ...options,
            maxAgeMs,
            onStored(ageMs) {
              oldestMs = Math.max(oldestMs, ageMs);
            },
          },
    );

  return {
    context: { ...context, read },
    withAge: (outcome) =>
      oldestMs < statedAgeMs
        ? outcome
        : { ...outcome, notes: [...(outcome.notes ?? []), `As of ${Math.round(oldestMs / 1_000)} s ago.`] },
  };
}
