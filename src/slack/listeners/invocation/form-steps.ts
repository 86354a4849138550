import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { NextStep } from '../../../operations/define/outcome.ts';
import type { RunReply } from '../../../runs/run-reply.ts';

/** Returns the step that shows the help for an operation, or all help. */
export function helpStep(operation?: Operation): NextStep {
  return { label: 'Help', operation: 'help', input: operation ? { topic: operation.name } : {} };
}

/** Returns the step that opens an operation's form. */
export function formStep({ name }: Operation, input: RawInput = {}): NextStep {
  return { label: 'Open Form', operation: name, input, opensForm: true };
}

/** Returns whether an operation opens its form even if its input is valid. */
export function shouldOpenForm(operation: Operation, input: Readonly<Record<string, unknown>>): boolean {
  return operation.kind === 'local' && operation.form?.shouldOpen?.(input) === true;
}

/** Returns whether an operation has a form. It has one if it has arguments. */
export function hasForm(operation: Operation): boolean {
  return Object.keys(operation.arguments).length > 0;
}

/** Returns the step that opens an operation's form, if it has one. */
export function formSteps(operation: Operation, input: RawInput): readonly NextStep[] {
  return hasForm(operation) ? [formStep(operation, input)] : [];
}

/** Adds a button that opens the form with the rejected input. */
export function withFormSteps(
  runReply: RunReply,
  operation: Operation,
  raw: RawInput,
  isPublic: boolean,
): RunReply {
  if (runReply.kind !== 'problem' || runReply.problem.code !== 'input_invalid') return runReply;
  const steps = [...(runReply.problem.nextSteps ?? []), ...formSteps(operation, raw), helpStep(operation)];
  return {
    ...runReply,
    problem: { ...runReply.problem, nextSteps: steps.map((step) => ({ ...step, isPublic })) },
  };
}
