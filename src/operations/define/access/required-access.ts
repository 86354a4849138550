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

/** Returns the access that an operation needs with this input. Returns undefined if every member can run it. */
export function findRequiredAccess(operation: Operation, parsed: ParsedInput): RequiredAccess | undefined {
  const { validFields } = parsed;
  const right = requiredRight(operation, validFields);
  if (right === null) return undefined;
  const { arguments: fields } = operation;
  const vps = operation.isAccountWide ? [] : listVpsNames(fields, validFields);
  const isPartial =
    (operation.kind === 'read' && operation.isFilteredByRights === true) ||
    (operation.kind === 'local' && operation.isAnyVpsEnough === true);
  const isUnfinished =
    !operation.isAccountWide &&
    hasVpsArgument(operation) &&
    (parsed.kind === 'invalid' || hasUnresolvedVps(fields, validFields));
  return { right, vps, isAnyVpsEnough: isPartial || isUnfinished };
}

/** Caches the access needed to run an operation on at least one target. Null if every member can run it. */
const leastAccess = new WeakMap<Operation, RequiredAccess | null>();

/** Returns whether a person is allowed to run an operation on at least one target. */
export function canRunOnAny(checkAccess: CheckAccess, operation: Operation): boolean {
  const need = findLeastAccess(operation);
  return need === null || checkAccess(need) === undefined;
}

/**
 * Returns the access needed to run an operation on at least one target. Cached, because command lists
 * check every operation.
 */
function findLeastAccess(operation: Operation): RequiredAccess | null {
  const known = leastAccess.get(operation);
  if (known !== undefined) return known;
  const found = findRequiredAccess(operation, parseInput(operation, {})) ?? null;
  leastAccess.set(operation, found);
  return found;
}
