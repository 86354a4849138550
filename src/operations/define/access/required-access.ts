import {
  hasUnresolvedVps,
  hasVpsArgument,
  listVpsNames,
  type ParsedInput,
  parseInput,
} from '../arguments/input.ts';
import { requiredRight } from '../inspect-operation.ts';
import type { Operation } from '../operation.ts';
import type { CheckAccess, RequiredAccess } from './access.ts';

/**
 * Returns the access that an operation needs with this input. Returns undefined if every member can
 * run it.
 */
export function findRequiredAccess(operation: Operation, parsed: ParsedInput): RequiredAccess | undefined {
  const { validFields } = parsed;
  const right = requiredRight(operation, validFields);
  if (right === null) return undefined;
  const { arguments: fields } = operation;
  const vps = operation.isAccountWide ? [] : listVpsNames(fields, validFields);
  const isPartial = operation.kind === 'read' && operation.isFilteredByRights === true;
  const isUnfinished =
    !operation.isAccountWide &&
    hasVpsArgument(operation) &&
    (parsed.kind === 'invalid' || hasUnresolvedVps(fields, validFields));
  return { right, vps, isAnyVpsEnough: isPartial || isUnfinished };
}

/** Returns whether a person is allowed to run an operation on at least one target. */
export function canRunOnAny(checkAccess: CheckAccess, operation: Operation): boolean {
  const need = findRequiredAccess(operation, parseInput(operation, {}));
  return need === undefined || checkAccess(need) === undefined;
}
