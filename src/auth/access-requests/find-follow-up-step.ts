import { matchesPattern } from '../../operations/choices/matching/matches-pattern.ts';
import type { RequiredAccess } from '../../operations/define/access/access.ts';
import { findRequiredAccess } from '../../operations/define/access/required-access.ts';
import { type ParsedInput, parseInput } from '../../operations/define/arguments/input.ts';
import { formatTitle } from '../../operations/define/inspect-operation.ts';
import type { Catalogue, Operation } from '../../operations/define/operation.ts';
import type { NextStep } from '../../operations/define/outcome.ts';
import type { Run } from '../../runs/run.ts';
import { allVps } from '../vps-pattern.ts';
import type { AccessRequest } from './access-request.ts';

/**
 * Finds the newest denied run that the requested right would allow. Returns it as a step to take
 * once the right is granted.
 */
export function findFollowUpStep(
  catalogue: Catalogue,
  denied: readonly Run[],
  request: Pick<AccessRequest, 'right' | 'patterns'>,
): NextStep | undefined {
  for (const run of denied) {
    const operation = catalogue.find(run.operation);
    if (!operation) continue;
    const parsed = parseInput(operation, run.input);
    const required = findRequiredAccess(operation, parsed);
    if (required && coversRequired(request, required)) return createStep(operation, run, parsed);
  }
  return undefined;
}

function coversRequired(
  { right, patterns }: Pick<AccessRequest, 'right' | 'patterns'>,
  required: RequiredAccess,
): boolean {
  if (right !== required.right) return false;
  if (patterns.includes(allVps) || required.isAnyVpsEnough) return true;
  return required.vps.some((name) => patterns.some((pattern) => matchesPattern(pattern, name)));
}

function createStep(
  operation: Operation,
  { input, displayNames, target }: Run,
  parsed: ParsedInput,
): NextStep {
  const { name, heading } = operation;
  if (parsed.kind === 'invalid') return { label: `${heading}…`, operation: name, input, opensForm: true };
  const label =
    operation.kind === 'change'
      ? formatTitle(operation, parsed.input, displayNames)
      : [heading, ...(target === null ? [] : [target])].join(': ');
  return { label, operation: name, input };
}
