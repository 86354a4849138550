import { parseInput } from '../arguments/input.ts';
import type { Catalogue } from '../operation.ts';
import type { ChoiceStep, NextStep, Outcome } from '../outcome.ts';
import type { CheckAccess } from './access.ts';
import { findRequiredAccess } from './required-access.ts';

/** Returns whether the person has the right that the button or select needs. */
export type IsPermitted = (step: Pick<NextStep | ChoiceStep, 'operation' | 'input'>) => boolean;

export function createStepCheck(catalogue: Pick<Catalogue, 'find'>, checkAccess: CheckAccess): IsPermitted {
  return ({ operation: name, input }) => {
    const operation = catalogue.find(name);
    if (!operation) return false;
    const required = findRequiredAccess(operation, parseInput(operation, input));
    return required === undefined || checkAccess(required) === undefined;
  };
}

/** Removes the buttons and selects that a person isn't allowed to use from an outcome. */
export function keepPermittedSteps<O extends Pick<Outcome, 'facts' | 'actionLines' | 'next' | 'choiceSteps'>>(
  outcome: O,
  isPermitted: IsPermitted,
): O {
  const { facts = [], actionLines: lines = [], next, choiceSteps } = outcome;
  const [permitted, others] = [
    lines.filter(({ step }) => isPermitted(step)),
    lines.filter(({ step }) => !isPermitted(step)),
  ];
  return {
    ...outcome,
    ...(lines.length > 0 && {
      // A line without its button becomes a fact.
      facts: [...facts, ...others.map(({ label, text }) => ({ label, value: text }))],
      actionLines: permitted,
    }),
    ...(next && { next: next.filter(isPermitted) }),
    ...(choiceSteps && { choiceSteps: choiceSteps.filter(isPermitted) }),
  };
}
