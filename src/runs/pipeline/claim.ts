import { randomUUID } from 'node:crypto';
import { type ParsedInput, resolveTarget } from '../../operations/define/arguments/input.ts';
import { formatTitle } from '../../operations/define/inspect-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { DisplayNames } from '../../operations/define/target-state.ts';
import { findLogKind } from '../log-kind.ts';
import type { ActiveRun, WaitingRun } from '../run.ts';
import { confirmationTtlMs } from './confirmation/confirm.ts';
import { toActTime, toSendDeadline } from './in-time.ts';
import type { ClaimedRun, RunRequest } from './run-context.ts';
import type { RunRecords, StoredRuns } from './run-services.ts';
import { end, type Next, next } from './step.ts';

/** Inserts the run. Ends the path if the request is a duplicate. */
export async function claim(
  request: RunRequest,
  services: RunRecords & StoredRuns,
): Promise<Next<ClaimedRun>> {
  const { runs, lease, openEnvironment } = services;
  const { operation, parsed } = request;
  const run = createRun(request, services);
  const logKind = findLogKind(operation, parsed);
  if (!(await runs.claim(run, request.requestKey, lease(), logKind))) return end({ kind: 'duplicate' });
  const { isUncertain = false, undoneState, scheduleApproverId } = request;
  return next({
    run,
    operation,
    parsed,
    isUncertain,
    undoneState,
    scheduleApproverId,
    sendByMs: toSendDeadline(run.requestedMs),
    localChange: { hasBegun: false, canBegin: true },
    ...openEnvironment(run, request),
  });
}

function createRun(request: RunRequest, services: Pick<RunRecords, 'now'>): WaitingRun | ActiveRun {
  const { operation, parsed, actor, origin, batchId } = request;
  const nowMs = services.now();
  const run = {
    id: randomUUID(),
    actor,
    operation: operation.name,
    input: parsed.raw,
    title: createTitle(operation, parsed),
    target: resolveTarget(operation, parsed),
    origin,
    ...(batchId !== undefined && { batchId }),
    confirmedState: { kind: 'unconfirmed' as const },
    expiresMs:
      nowMs + (operation.kind === 'read' ? (operation.timeoutMs ?? confirmationTtlMs) : confirmationTtlMs),
    approval: null,
    message: null,
    result: null,
    progress: null,
    requestedMs: toActTime(request.requestedMs, services),
    settledMs: null,
    unreadableColumns: [],
  };
  // A change waits until it has been checked and confirmed.
  return operation.kind === 'change'
    ? { ...run, status: 'waiting', queuedMs: null }
    : { ...run, status: 'queued', queuedMs: nowMs };
}

export function createTitle(
  operation: Operation,
  parsed: ParsedInput,
  displayNames?: DisplayNames,
): string | null {
  return operation.kind === 'change' && parsed.kind === 'valid'
    ? formatTitle(operation, parsed.input, displayNames)
    : null;
}
