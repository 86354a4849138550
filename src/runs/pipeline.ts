import { randomUUID } from 'node:crypto';
import { RackhandError } from '../errors.ts';
import { type ParsedInput, parseInput, resolveTarget } from '../operations/define/arguments/input.ts';
import { formatTitle } from '../operations/define/inspect-operation.ts';
import type { Operation } from '../operations/define/operation.ts';
import type { DisplayNames } from '../operations/define/target-state.ts';
import { labelOutcome, labelSentences, toVpsLabels } from '../operations/format/label-vps.ts';
import { findDenial } from './pipeline/access.ts';
import {
  askForApproval,
  authorizeActorOfApproval,
  authorizeApprover,
  compareApprovedState,
  declineRun,
  findApproval,
} from './pipeline/approval/approve.ts';
import {
  askToConfirm,
  compareConfirmedState,
  confirmationTtlMs,
  findConfirmation,
  matchTypedText,
} from './pipeline/confirmation/confirm.ts';
import { inTime, toActTime, toSendDeadline, withReply } from './pipeline/in-time.ts';
import { checkKeyPermissions } from './pipeline/key-permissions.ts';
import { findShownLabels } from './pipeline/names/label-shown-vps.ts';
import { toFieldsProblem } from './pipeline/names/name-problems.ts';
import { resolveInput } from './pipeline/names/resolve-input.ts';
import { end, type Next, next, path } from './pipeline/path.ts';
import { shareRecentReads } from './pipeline/recent-reads.ts';
import type {
  ApprovalClick,
  ChangeRun,
  ClaimedRun,
  ConfirmationClick,
  ConfirmedRun,
  ContinuedRequest,
  RunRequest,
  ValidRun,
} from './pipeline/run-context.ts';
import { endRun, refuse, replyOverdue, toReply } from './pipeline/run-ends.ts';
import type { RunServices } from './pipeline/run-services.ts';
import { keepAnswer } from './pipeline/sending/keep-answer.ts';
import { type AnsweredRun, send } from './pipeline/sending/send.ts';
import { planProgressPolls, readOutcome, settleDone } from './pipeline/sending/settle-done.ts';
import { expiredProblem, unreadableRunProblem } from './problem.ts';
import type { Run } from './run.ts';
import type { RunReply } from './run-reply.ts';
import { storeSecrets } from './secrets/secret-store.ts';

// Every run takes these steps, in this order. A step returns the context for the next step, or ends
// with a reply. The card that asks for a confirmation or an approval is such an end: the click on it
// continues right behind the step that showed the card.

/** The steps of a command, a form or a button. */
const fromClaim = inTime(
  path(authorize<ClaimedRun>)
    .step(requireAnsweringService<ClaimedRun>)
    .step(checkKeyPermissions)
    .step(requireValidInput)
    .step(resolveNames)
    .step(runUnlessChange)
    .step(askToConfirm)
    .step(askForApproval)
    .step(enqueue),
  ({ isUncertain, route }) => ({ kind: 'request', isUncertain, route }),
);

const fromRequest = path(claim).step(fromClaim);

/** The steps of a request that another process has claimed and handed over. */
const fromContinued = path(reopen).step(fromClaim);

/** The steps of a click on a confirmation card. */
const fromConfirmation = path(findConfirmation).step(
  inTime(
    path(matchTypedText)
      .step(authorize<ConfirmedRun>)
      .step(requireAnsweringService<ConfirmedRun>)
      .step(compareConfirmedState)
      .step(askForApproval)
      .step(enqueue),
    ({ click: { onQueued: _, ...click } }) => ({ kind: 'confirm', ...click }),
  ),
);

/** The steps of a click on an approval card. */
const fromApproval = path(findApproval).step(
  withReply(path(authorizeApprover).step(authorizeActorOfApproval).step(compareApprovedState).step(enqueue)),
);

const fromDecline = path(findApproval).step(declineRun);

/**
 * The steps of a queued run. `send` acquires a slot, authorizes the run again, marks it as sent and
 * makes the call. No person waits for a reply: the run's own message reports the end.
 */
const fromAnswer = keepAnswer(path(readOutcome).step(planProgressPolls).step(settleDone));
const fromQueue = path(send).step(fromAnswer);

export async function requestRun(request: RunRequest, services: RunServices): Promise<RunReply> {
  return toReply(await fromRequest(request, services));
}

export async function continueRequest(request: ContinuedRequest, services: RunServices): Promise<RunReply> {
  return toReply(await fromContinued(request, services));
}

export async function confirmRun(click: ConfirmationClick, services: RunServices): Promise<RunReply> {
  return toReply(await fromConfirmation(click, services));
}

export async function approveRun(click: ApprovalClick, services: RunServices): Promise<RunReply> {
  return toReply(await fromApproval(click, services));
}

export async function declineApproval(click: ApprovalClick, services: RunServices): Promise<RunReply> {
  return toReply(await fromDecline(click, services));
}

/** Executes a queued run. Throws only if its end can't be recorded. */
export async function executeRun(change: ChangeRun, services: RunServices): Promise<void> {
  await fromQueue(change, services);
}

/** Records an answer that an earlier process has kept in a file. */
export async function recordAnswer(answered: AnsweredRun, services: RunServices): Promise<void> {
  await fromAnswer(answered, services);
}

/** Inserts the run. A request that was made before ends here. */
async function claim(request: RunRequest, services: RunServices): Promise<Next<ClaimedRun>> {
  const { runs, lease } = services;
  const { operation, parsed } = request;
  const run = createRun(request, services);
  return (await runs.claim(run, request.requestKey, lease()))
    ? next(openRun(run, operation, parsed, request, services))
    : end({ kind: 'duplicate' });
}

/** Parses the stored input of a request that another process has claimed. */
async function reopen(request: ContinuedRequest, services: RunServices): Promise<Next<ClaimedRun>> {
  const { run } = request;
  if (run.status === 'expired') return end({ kind: 'problem', problem: expiredProblem(), runId: run.id });
  const operation = services.catalogue.find(run.operation);
  if (!operation || run.unreadableColumns.length > 0) {
    services.unreadableRuns.add(run, operation ? 'not JSON' : 'there is no such operation');
    return end(await endRun(run, 'expired', unreadableRunProblem({ isChanging: false }), services));
  }
  return next(openRun(run, operation, parseInput(operation, run.input), request, services));
}

function openRun(
  run: Run,
  operation: Operation,
  parsed: ParsedInput,
  request: RunRequest | ContinuedRequest,
  { openEnvironment }: RunServices,
): ClaimedRun {
  const { isUncertain = false, route } = request;
  return {
    run,
    operation,
    parsed,
    isUncertain,
    route,
    sendByMs: toSendDeadline(run.requestedMs),
    localChange: { hasBegun: false },
    ...openEnvironment(run, request),
  };
}

function createRun(request: RunRequest, services: RunServices): Run {
  const { operation, parsed, actor, origin } = request;
  const nowMs = services.now();
  const isChange = operation.kind === 'change';
  return {
    id: randomUUID(),
    actor,
    operation: operation.name,
    input: parsed.raw,
    title: createTitle(operation, parsed),
    target: resolveTarget(operation, parsed),
    origin,
    // A change waits until it was checked and confirmed.
    status: isChange ? 'waiting' : 'queued',
    confirmedState: null,
    reconfirmedMs: null,
    expiresMs:
      nowMs + (operation.kind === 'read' ? (operation.timeoutMs ?? confirmationTtlMs) : confirmationTtlMs),
    approval: null,
    message: null,
    result: null,
    progress: null,
    requestedMs: toActTime(request.requestedMs, services),
    queuedMs: isChange ? null : nowMs,
    settledMs: null,
    unreadableColumns: [],
  };
}

function createTitle(operation: Operation, parsed: ParsedInput, displayNames?: DisplayNames): string | null {
  return operation.kind === 'change' && parsed.kind === 'valid'
    ? formatTitle(operation, parsed.input, displayNames)
    : null;
}

/** Refuses the run if its actor isn't allowed to run the operation here. */
async function authorize<Context extends Pick<ClaimedRun, 'run' | 'operation' | 'parsed'>>(
  context: Context,
  services: RunServices,
): Promise<Next<Context>> {
  const { run, operation, parsed } = context;
  const denial = await findDenial(services.resolveAccess, run, operation, parsed);
  return denial ? refuse(run, denial, services) : next(context);
}

/** Fails a change at once while the hosting service doesn't answer. */
async function requireAnsweringService<Context extends Pick<ClaimedRun, 'operation'>>(
  context: Context,
  { assertServiceAnswers }: RunServices,
): Promise<Next<Context>> {
  if (context.operation.kind === 'change') assertServiceAnswers();
  return next(context);
}

/** Refuses input that the schemas don't accept. It was parsed once, where it arrived. */
async function requireValidInput(claimed: ClaimedRun, services: RunServices): Promise<Next<ValidRun>> {
  const { run, parsed } = claimed;
  return parsed.kind === 'invalid'
    ? refuse(run, toFieldsProblem(parsed.problems), services)
    : next({ ...claimed, parsed });
}

/** Replaces names in the input by IDs and stores it. */
async function resolveNames(valid: ValidRun, services: RunServices): Promise<Next<ValidRun>> {
  const { run, operation, operationContext, isUncertain } = valid;
  const options = { acceptsUnlisted: isUncertain };
  const resolved = await resolveInput(operation, valid.parsed, operationContext, options);
  if (resolved.kind === 'invalid') return refuse(run, resolved.problem, services);
  const { parsed, displayNames } = resolved;
  if (parsed === valid.parsed && !displayNames) return next(valid);
  const known = {
    input: parsed.raw,
    target: resolveTarget(operation, parsed),
    title: createTitle(operation, parsed, displayNames),
    ...(displayNames && { displayNames }),
  };
  await services.runs.saveResolvedInput(run.id, known);
  // A name can have resolved to a VPS for which the actor has no right.
  return authorize({ ...valid, run: { ...run, ...known }, parsed }, services);
}

/** Runs an operation that changes nothing at the hosting service, and ends with its outcome. */
async function runUnlessChange(
  valid: ValidRun,
  { secrets, settle, sharedReadMs }: RunServices,
): Promise<Next<ChangeRun & ValidRun>> {
  const { run, operation, parsed, operationContext, localChange } = valid;
  if (operation.kind === 'change') return next({ ...valid, operation });
  localChange.hasBegun = operation.kind === 'local';
  const { id: runId, actor } = run;
  const isRead = operation.kind === 'read';
  const { context, withAge } = shareRecentReads(operationContext, isRead ? sharedReadMs : 0);
  const result = withAge(await operation.run(context, parsed.input));
  // A list could lack the parts that weren't read anymore.
  if (isRead && valid.wasStopped()) throw new RackhandError('stopped', 'Rackhand is stopping.');
  const shown = { operation, input: parsed.input, displayNames: run.displayNames };
  // Operations on Rackhand's own data label the VPS in facts and tables themselves, because these
  // also contain the names of reports and watches.
  const labelled = isRead
    ? labelOutcome(result, await findShownLabels(result, shown, operationContext))
    : labelSentences(result, toVpsLabels(run.displayNames));
  const redacted = await storeSecrets(labelled, secrets, { runId, actor });
  // Charts are part of the reply but aren't stored.
  const { chart: _, ...outcome } = redacted;
  // The run may have been settled as unknown in the meantime.
  await settle(run, ['queued', 'unknown'], { status: 'done', result: { kind: 'outcome', outcome } });
  return end({ kind: 'outcome', runId, outcome: redacted });
}

/** Queues a change that was checked, confirmed and approved, and starts to execute it. */
async function enqueue(change: ChangeRun, services: RunServices): Promise<Next<never>> {
  const { runs, lease, now, announce, activeRuns } = services;
  const queuedMs = now();
  const { approverId, sendByMs: expiresMs } = change;
  const { id, confirmedState } = change.run;
  const approved = approverId === undefined ? undefined : { by: approverId, confirmedState };
  if (!(await runs.enqueue(id, lease(), expiresMs, queuedMs, approved)))
    return end(await replyOverdue(change.run, services));
  const approval = change.run.approval && { ...change.run.approval, approverId: approverId ?? null };
  const run: Run = { ...change.run, status: 'queued', approval, expiresMs, queuedMs };
  announce(run);
  activeRuns.start(run.id, () => executeRun({ ...change, run }, services));
  return end({ kind: 'started' });
}
