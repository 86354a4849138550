import type { CheckAccess, RequiredAccess } from './access.ts';
import { hasUnresolvedVps, hasVpsArgument, listVpsNames, parseInput, parseValidFields } from './input.ts';
import { requiredRight } from './inspect-operation.ts';
import type { Operation } from './operation.ts';
import type { RawInput } from './raw-input.ts';

/**
 * Returns the access that an operation needs with this input. Returns undefined if every member can
 * run it.
 */
export function findRequiredAccess(operation: Operation, raw: RawInput): RequiredAccess | undefined {
  const input = parseValidFields(operation, raw);
  const right = requiredRight(operation, input);
  if (right === null) return undefined;
  const { arguments: fields } = operation;
  const vps = operation.isAccountWide ? [] : listVpsNames(fields, input);
  const isPartial = operation.kind === 'read' && operation.isFilteredByRights === true;
  const isUnfinished =
    hasVpsArgument(operation) &&
    (parseInput(operation, raw).kind === 'invalid' || hasUnresolvedVps(fields, input));
  return { right, vps, isAnyVpsEnough: isPartial || isUnfinished };
}

/** Returns whether a person is allowed to run an operation on at least one target. */
export function canRunOnAny(checkAccess: CheckAccess, operation: Operation): boolean {
  const need = findRequiredAccess(operation, {});
  return need === undefined || checkAccess(need) === undefined;
}
