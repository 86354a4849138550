import { isStopped } from '../errors.ts';
import { resolveTarget } from '../operations/define/arguments/input.ts';
import { isBatchOperation } from '../operations/define/inspect-operation.ts';
import { type Span, spans } from '../tracing/spans.ts';
import { executeParts, hasParts, type StartPart } from './parts/execute-parts.ts';
import { claimPart, compareConfirmedPart, type PartRun } from './parts/start-part.ts';
import { acceptApprovalOfSchedule } from './pipeline/approval/accept-approval-of-schedule.ts';
import {
  askForApproval,
  compareApprovedState,
  declineRun,
  findApproval,
} from './pipeline/approval/approve.ts';
import { authorize, requireAnsweringService } from './pipeline/authorize.ts';
import { claim, createTitle } from './pipeline/claim.ts';
import {
  applyChoices,
  askForMissingReason,
  askToConfirm,
  compareConfirmedState,
  findConfirmation,
  matchTypedText,
  takeClick,
} from './pipeline/confirmation/confirm.ts';
import { replyInTime, replyToApprover, replyToSchedule } from './pipeline/in-time.ts';
import { checkKeyPermissions } from './pipeline/key-permissions.ts';
import { expandTargets } from './pipeline/names/expand-targets.ts';
import { toFieldsProblem } from './pipeline/names/name-problems.ts';
import { resolveInput } from './pipeline/names/resolve-input.ts';
import { requireReasonOfSchedule } from './pipeline/require-reason.ts';
import type {
  ApprovalClick,
  ChangeRun,
  ClaimedRun,
  ConfirmationClick,
  ConfirmedRun,
  RunRequest,
  ScheduledRequest,
  ValidRun,
} from './pipeline/run-context.ts';
import { failRun, refuse, replyNoLongerWaiting } from './pipeline/run-ends.ts';
import type { RunServices } from './pipeline/run-services.ts';
import { runUnlessChange } from './pipeline/run-unless-change.ts';
import { send } from './pipeline/sending/send.ts';
import { planProgressPolls, readOutcome, settleDone } from './pipeline/sending/settle-done.ts';
import { end, type Next, next, path, type Step, toStepSpan } from './pipeline/step.ts';
import type { ActiveRun, Run, WaitingRun } from './run.ts';
import type { RunReply } from './run-reply.ts';

// A run takes its steps in this order. Each step returns the context for the next step, or ends the path with a
// reply. An operation that changes nothing at the hosting service ends with its outcome. A card that asks for
// confirmation or approval is a reply too. A click on the card continues with the step after the one that showed
// the card. A change that has passed all its steps is enqueued and executed.

const toChange = path(authorize<ClaimedRun>)
  .step(requireAnsweringService<ClaimedRun>)
  .step(checkKeyPermissions)
  .step(requireValidInput)
  .step(resolveNames)
  .step(runUnlessChange);

/** The steps for a command, form or button, once its run is claimed. */
const fromClaim = toChange.step(askToConfirm).step(askForApproval);

/** The steps for a change at its scheduled time, when nobody is there to confirm or approve. */
const fromSchedule = toChange.step(requireReasonOfSchedule).step(acceptApprovalOfSchedule);

/** The steps after a click on a confirmation card. */
const fromConfirmation = path(matchTypedText)
  .step(applyChoices)
  .step(takeClick)
  .step(authorize<ConfirmedRun>)
  .step(requireAnsweringService<ConfirmedRun>)
  .step(compareConfirmedState)
  .step(askForMissingReason)
  .step(askForApproval);

/** The steps for a part of another run. Its parent was already confirmed, and approved if needed. */
const fromPart = path(authorize<PartRun>)
  .step(requireAnsweringService<PartRun>)
  .step(compareConfirmedPart);

/**
 * Executes a queued run. `send` acquires a slot, authorizes the run again, marks it as sent and makes the
 * call. No one waits for a reply: the run's own message reports how it ended. Throws only if the end can't be
 * recorded.
 */
export async function executeRun(change: ChangeRun<ActiveRun>, services: RunServices): Promise<void> {
  await spans.tracePromise(
    async () => {
      if (hasParts(change)) return executeParts(change, startPart, services);
      const sent = await spans.tracePromise(send, toStepSpan(send), undefined, change, services);
      if (sent.kind === 'next') await recordAnswer(sent.context, services);
    },
    toRunSpan('execute run', change.run),
  );
}

/** Returns a span that begins a trace if there is none. */
function toRunSpan(name: string, { id, operation, actor }: Run): Span {
  const attributes = {
    'rackhand.run_id': id,
    'rackhand.operation': operation,
    'slack.team_id': actor.teamId,
  };
  return { name, attributes, beginsTrace: true };
}

const startPart: StartPart = async (parent, part, startByMs, services) => {
  const claimed = await claimPart(parent, part, startByMs, services);
  if (claimed.kind === 'end') return;
  try {
    await enqueueAfter(fromPart, claimed.context, services);
  } catch (error) {
    // If this process is stopping, the next process settles the run. Nothing was sent.
    if (!isStopped(error)) await failRun(claimed.context.run, error, services);
  }
};

const recordAnswer = path(readOutcome).step(planProgressPolls).step(settleDone);

/** Runs requests and clicks through their steps. The methods return the reply to the person. */
export interface Pipeline {
  /** Claims a request, authorizes it and resolves its input. Then runs it, or asks for confirmation or approval. */
  request(request: RunRequest): Promise<RunReply>;
  /** Runs a change at its scheduled time, with all checks but without asking again. */
  runScheduled(request: ScheduledRequest): Promise<RunReply>;
  confirm(click: ConfirmationClick): Promise<RunReply>;
  /**
   * Handles an approval by someone who is allowed to approve. The cards show the approval, so only a problem needs a
   * reply.
   */
  approve(click: ApprovalClick): Promise<RunReply>;
  decline(click: ApprovalClick): Promise<RunReply>;
}

export function createPipeline(services: RunServices): Pipeline {
  return {
    async request(request) {
      const claimed = await spans.tracePromise(claim, toStepSpan(claim), undefined, request, services);
      if (claimed.kind === 'end') return claimed.reply;
      request.onTaken?.();
      const { context } = claimed;
      return spans.tracePromise(
        () => replyInTime(context, enqueueAfter(fromClaim, context, services), services),
        toRunSpan('prepare run', context.run),
      );
    },
    async runScheduled(request) {
      const claimed = await claim(request, services);
      if (claimed.kind === 'end') return claimed.reply;
      return replyToSchedule(
        claimed.context,
        enqueueAfter(fromSchedule, claimed.context, services),
        services,
      );
    },
    async confirm(click) {
      const found = await findConfirmation(click, services);
      if (found.kind === 'end') return found.reply;
      return spans.tracePromise(
        () => replyInTime(found.context, enqueueAfter(fromConfirmation, found.context, services), services),
        toRunSpan('confirm run', found.context.run),
      );
    },
    async approve(click) {
      const found = await findApproval(click, services);
      if (found.kind === 'end') return found.reply;
      return spans.tracePromise(
        () =>
          replyToApprover(
            found.context,
            enqueueAfter(compareApprovedState, found.context, services),
            services,
          ),
        toRunSpan('approve run', found.context.run),
      );
    },
    async decline(click) {
      const found = await findApproval(click, services);
      return found.kind === 'end' ? found.reply : declineRun(found.context, services);
    },
  };
}

/** Refuses input that the schemas don't accept. Input is parsed once, on arrival. */
async function requireValidInput(claimed: ClaimedRun, services: RunServices): Promise<Next<ValidRun>> {
  const { run, parsed } = claimed;
  return parsed.kind === 'invalid'
    ? refuse(run, toFieldsProblem(parsed.problems), services)
    : next({ ...claimed, parsed });
}

/** Replaces names in the input with IDs and stores it. */
async function resolveNames(valid: ValidRun, services: RunServices): Promise<Next<ValidRun>> {
  const { run, operation, operationContext, isUncertain } = valid;
  const options = { acceptsUnlisted: isUncertain };
  const expanded = isBatchOperation(operation)
    ? await expandTargets(operation, valid.parsed, operationContext)
    : { kind: 'valid' as const, parsed: valid.parsed };
  if (expanded.kind === 'invalid') return refuse(run, expanded.problem, services);
  const resolved = await resolveInput(operation, expanded.parsed, operationContext, options);
  if (resolved.kind === 'invalid') return refuse(run, resolved.problem, services);
  const { parsed, displayNames } = resolved;
  if (parsed === valid.parsed && !displayNames) return next(valid);
  const known = {
    input: parsed.raw,
    target: resolveTarget(operation, parsed),
    title: createTitle(operation, parsed, displayNames),
    ...(displayNames && { displayNames }),
  };
  // For a read, the resolved names are stored when its end is recorded.
  if (operation.kind !== 'read' && !(await services.runs.saveResolvedInput(run.id, known, services.owner)))
    return end({ kind: 'duplicate' });
  // A name may have resolved to a VPS that the actor has no right to.
  return authorize({ ...valid, run: { ...run, ...known }, parsed }, services);
}

/** Takes a change through its steps, then enqueues it. Returns the reply of the last step. */
async function enqueueAfter<Context>(
  steps: Step<Context, ChangeRun<WaitingRun>>,
  context: Context,
  services: RunServices,
): Promise<RunReply> {
  const checked = await steps(context, services);
  return checked.kind === 'end' ? checked.reply : enqueue(checked.context, services);
}

async function enqueue(change: ChangeRun<WaitingRun>, services: RunServices): Promise<RunReply> {
  const { runs, lease, now, activeRuns } = services;
  const queuedMs = now();
  const { approverId, sendByMs: expiresMs } = change;
  if (!(await runs.enqueue(change.run, lease(), expiresMs, queuedMs, approverId)))
    return replyNoLongerWaiting(change.run, services);
  const askId = change.run.approval?.askId ?? null;
  const approval = approverId === undefined ? null : { askId, approverId };
  const run: ActiveRun = { ...change.run, status: 'queued', approval, expiresMs, queuedMs };
  activeRuns.start(run.id, executeRun({ ...change, run }, services));
  return { kind: 'started' };
}
