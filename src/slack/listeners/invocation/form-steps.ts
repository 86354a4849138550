import { isRetryable } from '../../../errors.ts';
import { isVpsControl, type ParsedInput, parseInput } from '../../../operations/define/arguments/input.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { hasForm, requiresConfirmation } from '../../../operations/define/inspect-operation.ts';
import type { ChangeOperation, Operation } from '../../../operations/define/operation.ts';
import type { NextStep, Undo } from '../../../operations/define/outcome.ts';
import type { CorrectedInput } from '../../../operations/grammar/natural-mistakes.ts';
import type { RunRequest } from '../../../runs/pipeline/run-context.ts';
import { tryAgain } from '../../../runs/problem.ts';
import type { RunReply } from '../../../runs/run-reply.ts';
import type { StepValue } from '../../blocks/elements/buttons.ts';

export function helpStep(operation?: Operation): NextStep {
  return { label: 'Help', operation: 'help', input: operation ? { topic: operation.name } : {} };
}

export function formStep({ name }: Operation, input: RawInput = {}): NextStep {
  return { label: 'Open Form', operation: name, input, opensForm: true };
}

/** Returns whether an operation opens its form even when its input is valid. */
export function shouldOpenForm(operation: Operation, input: Readonly<Record<string, unknown>>): boolean {
  return operation.kind === 'local' && operation.form?.shouldOpen?.(input) === true;
}

export function formSteps(operation: Operation, input: RawInput): readonly NextStep[] {
  return hasForm(operation) ? [formStep(operation, input)] : [];
}

/**
 * Returns a notice that names the pending work. The notice must stay true next to the answer, because the app can't
 * always remove it.
 */
export function formatWorking(operation: Operation, raw: RawInput): string {
  const { name } = (operation.kind === 'change' && operation.batchOf) || operation;
  return `${[name, ...listVps(operation, raw)].join(' ')} takes a moment. The answer follows.`;
}

/** Describes an operation with its VPS, such as "graph of web-01" or "list snapshots: web-01". */
export function describeRequest(operation: Operation, raw: RawInput): string {
  const { heading } = (operation.kind === 'change' && operation.batchOf) || operation;
  const vps = listVps(operation, raw).join(', ');
  const named = heading.replace(/ (a|another) VPS$/, vps ? ` ${vps}` : '$&');
  const title = vps && !named.endsWith(vps) ? `${heading}: ${vps}` : named;
  // Names such as WebGate keep their capitals.
  return title.replace(/^[A-Z][a-z]*(?= |$)/, (word) => word.toLowerCase());
}

function listVps({ arguments: fields }: Operation, raw: RawInput): readonly string[] {
  return Object.entries(fields).flatMap(([field, { control }]) => {
    const value = raw[field];
    return isVpsControl(control) && typeof value === 'string' ? [value] : [];
  });
}

/** Adds buttons to a problem: the form and help after invalid input, or a retry after a failed read. */
export function withNextSteps(
  runReply: RunReply,
  operation: Operation,
  raw: RawInput,
  isPublic: boolean,
): RunReply {
  if (runReply.kind !== 'problem') return runReply;
  const { nextSteps = [], code } = runReply.problem;
  const more =
    code === 'input_invalid'
      ? [...formSteps(operation, raw), helpStep(operation)]
      : operation.kind === 'read' && isRetryable(code) && !nextSteps.some(({ label }) => label === tryAgain)
        ? [{ label: tryAgain, operation: operation.name, input: raw }]
        : [];
  if (more.length === 0) return runReply;
  const steps = [...nextSteps, ...more].map((step) => ({ ...step, isPublic }));
  return { ...runReply, problem: { ...runReply.problem, nextSteps: steps } };
}

/** Returns whether an operation changes something without asking for a confirmation. */
export function runsWithoutConfirmation(
  operation: Operation,
  { validFields }: ParsedInput,
): operation is ChangeOperation {
  return operation.kind === 'change' && !requiresConfirmation(operation, validFields);
}

/**
 * Returns the button for the input that was probably meant. The button opens a form if a single click would change
 * something.
 */
export function toSuggestedStep(operation: Operation, { label, raw }: CorrectedInput): NextStep {
  const opensForm = runsWithoutConfirmation(operation, parseInput(operation, raw));
  return { label, operation: operation.name, input: raw, opensForm };
}

export const undoEndedMessage =
  'This change can no longer be undone with the button, which works for only 15 minutes. Nothing was changed.';

export function hasUndoEnded(undo: Undo | undefined, clickedMs = Date.now()): boolean {
  return undo !== undefined && clickedMs > undo.untilMs;
}

export type RequestOptions = Pick<RunRequest, 'isUncertain' | 'undoneState'>;

export function toRequestOptions({ isUncertain = false, undo }: StepValue): RequestOptions {
  return { isUncertain, ...(undo && { undoneState: undo.expectedState }) };
}
