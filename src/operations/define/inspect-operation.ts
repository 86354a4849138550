import type { Effect, Endpoint, Permission } from '../../hosting/endpoints/endpoint.ts';
import { createVpsLabeler, toVpsLabels } from '../format/label-vps.ts';
import type { Right } from './access/right.ts';
import type { Argument } from './arguments/argument.ts';
import type { ChangeOperation, Operation, WarningState } from './operation.ts';
import type { DisplayNames } from './target-state.ts';

/** Returns the arguments that people give, typed or in a form. The others are set by buttons. */
export function listGivenArguments({
  arguments: fields,
}: Operation): readonly (readonly [string, Argument])[] {
  return Object.entries(fields).filter(([, { isSetByButtons }]) => !isSetByButtons);
}

/** Returns whether an operation has a form, which it does if it has arguments that people give. */
export function hasForm(operation: Operation): boolean {
  return listGivenArguments(operation).length > 0;
}

/** Returns the effect that an operation has on the fleet with this input, which can be partial. */
export function resolveEffect(operation: Operation, input: Readonly<Record<string, unknown>> = {}): Effect {
  if (operation.kind !== 'change') return operation.kind === 'read' ? 'read' : 'change';
  const { effect = operation.endpoint.effect } = operation;
  return typeof effect === 'function' ? effect(input) : effect;
}

const rightFor = { read: 'view', change: 'operate', disrupt: 'operate', destroy: 'destroy' } as const;

/**
 * Returns the right that an operation needs with this input, which can be partial. `null` means
 * that every member can run it.
 */
export function requiredRight(
  operation: Operation,
  input: Readonly<Record<string, unknown>> = {},
): Right | null {
  if (operation.kind === 'local' && operation.rightByEffect) return operation.rightByEffect(input);
  return operation.right === undefined ? rightFor[resolveEffect(operation, input)] : operation.right;
}

/** Returns whether an operation needs a confirmation with this input, which can be partial. */
export function requiresConfirmation(
  operation: Operation,
  input: Readonly<Record<string, unknown>> = {},
): boolean {
  if (operation.kind !== 'change') return false;
  const effect = resolveEffect(operation, input);
  return effect === 'disrupt' || effect === 'destroy' || (operation.confirmation?.isNeeded?.(input) ?? false);
}

/** Returns whether an operation replies in the channel by default. */
export function isPublicByDefault(operation: Operation): boolean {
  return operation.kind === 'read' && operation.audience === 'channel';
}

export function resolveEndpoint(
  { endpoint, variant }: ChangeOperation,
  input: Readonly<Record<string, unknown>>,
): Endpoint {
  return variant?.appliesTo(input) ? variant.endpoint : endpoint;
}

/** Returns the title of a change, with display names instead of IDs and labels instead of VPS names. */
export function formatTitle(
  operation: ChangeOperation,
  input: Readonly<Record<string, unknown>>,
  displayNames: DisplayNames = {},
): string {
  return createVpsLabeler(toVpsLabels(displayNames))(operation.title({ ...input, ...displayNames }));
}

/** Returns the warning to show before a change to a target in this state. */
export function findWarning(
  { warning }: ChangeOperation,
  input: Readonly<Record<string, unknown>>,
  state: WarningState,
): string | undefined {
  return typeof warning === 'function' ? warning(input, state) : warning;
}

export function listEndpoints(operation: Operation): readonly Endpoint[] {
  if (operation.kind === 'read') return operation.endpoints;
  if (operation.kind === 'local') return [];
  return operation.variant ? [operation.endpoint, operation.variant.endpoint] : [operation.endpoint];
}

export function requiredPermissions(operation: Operation): readonly Permission[] {
  return [...new Set(listEndpoints(operation).flatMap(({ permission }) => permission ?? []))];
}

/** Returns whether an operation runs another operation on several VPS. */
export function isBatchOperation(operation: Operation): operation is ChangeOperation {
  return operation.kind === 'change' && operation.batchOf !== undefined;
}
