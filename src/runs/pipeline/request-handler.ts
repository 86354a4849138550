import { randomUUID } from 'node:crypto';
import type { Actor, Origin } from '../../operations/define/actor.ts';
import { parseInput, resolveTarget } from '../../operations/define/input.ts';
import { requiresConfirmation } from '../../operations/define/inspect-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { RawInput } from '../../operations/define/raw-input.ts';
import { labelOutcome } from '../../operations/format/label-vps.ts';
import type { Run } from '../run.ts';
import type { RunReply } from '../run-reply.ts';
import { type SecretStore, storeSecrets } from '../secrets/secret-store.ts';
import type { Lease } from '../store/run-leases.ts';
import type { RunStore } from '../store/run-store.ts';
import type { ApprovalStep } from './approval.ts';
import { type ConfirmationStep, confirmationTtlMs } from './confirmation.ts';
import type { RunListeners } from './create-run-context.ts';
import { assertKeyPermissions } from './key-permissions.ts';
import { type ResolvedInput, resolveInput } from './resolve-input.ts';
import type { Settle } from './run-settler.ts';
import type { RunSteps } from './run-steps.ts';

export interface RunRequest extends RunListeners {
  /** Unique to the request. A second request with the same key is a duplicate. */
  readonly requestKey: string;
  readonly operation: Operation;
  readonly raw: RawInput;
  readonly actor: Actor;
  readonly origin: Origin;
  /**
   * Set if the input is only a suggestion, or names something that isn't in the service's list.
   * Such names are accepted, and any change asks for a confirmation.
   */
  readonly isUncertain?: boolean;
}

type ResolvedInputOk = Extract<ResolvedInput, { kind: 'valid' }>;

interface RequestHandlerDependencies {
  readonly runs: RunStore;
  readonly steps: RunSteps;
  readonly confirmation: Pick<ConfirmationStep, 'show'>;
  readonly approval: Pick<ApprovalStep, 'enqueueOrRequestApproval'>;
  readonly secrets: SecretStore;
  readonly settle: Settle;
  readonly lease: () => Lease;
  readonly now: () => number;
}

/**
 * Claims a request, authorizes it and resolves its input. Then runs it, or asks for a confirmation
 * or approval.
 */
export type RequestHandler = (request: RunRequest) => Promise<RunReply>;

export function createRequestHandler(dependencies: RequestHandlerDependencies): RequestHandler {
  const { runs, steps, confirmation, approval, secrets, settle, lease, now } = dependencies;

  async function processRun(claimed: Run, request: RunRequest, onStart: () => void): Promise<RunReply> {
    const { operation, raw, isUncertain = false } = request;
    const { id: runId, actor } = claimed;
    const denial = await steps.findDenial(claimed, operation, raw);
    if (denial) return steps.end(claimed, 'refused', denial);
    const context = steps.createRunContext(claimed, request);
    await assertKeyPermissions(operation, context.operationContext.read);
    const resolved = await resolveInput(operation, raw, context.operationContext, {
      acceptsUnlisted: isUncertain,
    });
    if (resolved.kind === 'invalid') return steps.end(claimed, 'refused', resolved.problem);
    const { input } = resolved;
    const run = await saveResolvedInput(claimed, operation, resolved);
    // A name can have resolved to a VPS on which the actor has no right.
    const resolvedDenial = run === claimed ? undefined : await steps.findDenial(run, operation, run.input);
    if (resolvedDenial) return steps.end(run, 'refused', resolvedDenial);
    if (operation.kind === 'change') {
      const change = { run, operation, input, ...context };
      return isUncertain || requiresConfirmation(operation, input)
        ? confirmation.show(change, false)
        : approval.enqueueOrRequestApproval(change);
    }
    onStart();
    const result = await operation.run(context.operationContext, input);
    const redacted = await storeSecrets(labelOutcome(result, run.displayNames), secrets, { runId, actor });
    // Charts are part of the reply but aren't stored.
    const { chart: _, ...outcome } = redacted;
    // The run may have been settled as unknown in the meantime.
    await settle(run, ['queued', 'unknown'], { status: 'done', result: { kind: 'outcome', outcome } });
    return { kind: 'outcome', runId, outcome: redacted };
  }

  /** Stores the input with IDs instead of names. Also stores the readable names of these IDs. */
  async function saveResolvedInput(
    run: Run,
    operation: Operation,
    { raw, displayNames }: ResolvedInputOk,
  ): Promise<Run> {
    if (raw === run.input && !displayNames) return run;
    const target = resolveTarget(operation, parseInput(operation, raw));
    await runs.saveResolvedInput(run.id, { raw, target, ...(displayNames && { displayNames }) });
    return { ...run, input: raw, target, ...(displayNames && { displayNames }) };
  }

  return async (request) => {
    const run = newRun(request, now());
    if (!(await runs.claim(run, request.requestKey, lease()))) return { kind: 'duplicate' };
    let hasStarted = false;
    const work = () =>
      processRun(run, request, () => {
        hasStarted = true;
      });
    return steps.replyBeforeExpiry(run, work, () => hasStarted && request.operation.kind === 'local');
  };
}

function newRun({ operation, raw, actor, origin }: RunRequest, nowMs: number): Run {
  const isChange = operation.kind === 'change';
  return {
    id: randomUUID(),
    actor,
    operation: operation.name,
    input: raw,
    target: resolveTarget(operation, parseInput(operation, raw)),
    origin,
    // A change waits until it was checked and confirmed.
    status: isChange ? 'waiting' : 'queued',
    confirmedState: null,
    reconfirmedMs: null,
    expiresMs: nowMs + maxReplyMs(operation),
    approval: null,
    message: null,
    result: null,
    progress: null,
    requestedMs: nowMs,
    queuedMs: isChange ? null : nowMs,
    settledMs: null,
  };
}

/** Returns the time limit for a run's reply. */
function maxReplyMs(operation: Operation): number {
  return (operation.kind === 'read' ? operation.timeoutMs : undefined) ?? confirmationTtlMs;
}
