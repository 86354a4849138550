import type { Catalogue } from '../../operations/catalogue.ts';
import { parseInput } from '../../operations/input.ts';
import { type Operation, titleOf } from '../../operations/operation.ts';
import type { NextStep } from '../../operations/outcome.ts';
import { type Need, needOf } from '../../operations/runs/access.ts';
import type { Run } from '../../operations/runs/run.ts';
import { everything, fits } from './pattern.ts';
import type { AccessRequest } from './request-store.ts';

/** Finds what somebody was refused for want of a right that they ask for, as the step that they can take once they have it; `refused` are the newest first. */
export function wantedStep(
  catalogue: Catalogue,
  refused: readonly Run[],
  asked: Pick<AccessRequest, 'right' | 'patterns'>,
): NextStep | undefined {
  for (const run of refused) {
    const operation = catalogue.find(run.operation);
    const need = operation && needOf(operation, run.input);
    if (operation && need && isMeant(need, asked)) return stepFor(operation, run);
  }
  return undefined;
}

function isMeant({ right, vps, isForSome }: Need, asked: Pick<AccessRequest, 'right' | 'patterns'>): boolean {
  if (right !== asked.right) return false;
  if (asked.patterns.includes(everything) || isForSome) return true;
  return vps.some((name) => asked.patterns.some((pattern) => fits(pattern, name)));
}

function stepFor(operation: Operation, { input, called, target }: Run): NextStep {
  const { name, heading } = operation;
  const parsed = parseInput(operation, input);
  if (!parsed.ok) return { label: `${heading}…`, operation: name, input, opensForm: true };
  const label =
    operation.kind === 'change'
      ? titleOf(operation, parsed.input, called)
      : [heading, ...(target === null ? [] : [target])].join(': ');
  return { label, operation: name, input };
}
