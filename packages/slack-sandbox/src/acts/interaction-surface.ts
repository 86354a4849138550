import type { JsonObject } from '../json.ts';
import { canRead } from '../workspace/channels/channel-lookup.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import { listElements, listMessageBlocks, type PlacedElement } from '../workspace/elements.ts';
import type { Message } from '../workspace/messages/message.ts';
import type { Person } from '../workspace/seed.ts';
import { resolveValues, type StateValues } from '../workspace/state-values.ts';
import type { StoredView } from '../workspace/view-store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { InvalidActionError } from './invalid-action-error.ts';

/** The message or view on which a person acts. */
export type InteractionSurface = MessageSurface | { readonly kind: 'view'; readonly view: StoredView };

export interface MessageSurface {
  readonly kind: 'message';
  readonly channel: Channel;
  readonly message: Message;
  readonly isEphemeral: boolean;
}

/** Returns a message as a person sees it. Throws if the person can't see it. */
export function resolveVisibleMessage(
  workspace: Workspace,
  person: Person,
  channel: Channel,
  ts: string,
): MessageSurface {
  const ephemeral = workspace.messages.findEphemeral(channel.id, ts, person.id);
  const message = ephemeral ?? workspace.messages.find(channel.id, ts);
  if (!message || !canRead(workspace, channel, person.id)) {
    throw new InvalidActionError(`${person.id} cannot see a message ${ts} in ${channel.id}`, 404);
  }
  return { kind: 'message', channel, message, isEphemeral: ephemeral !== undefined };
}

/**
 * Returns a view that a person can use, which is their Home tab or the top view of their modal.
 * Throws if they can't use it.
 */
export function resolveView(workspace: Workspace, person: Person, viewId: string): StoredView {
  const view = workspace.views.findById(viewId);
  if (view?.owner !== person.id) throw new InvalidActionError(`${person.id} has no view ${viewId}`, 404);
  const top = workspace.views.getStack(person.id).at(-1);
  if (view.type === 'modal' && view !== top)
    throw new InvalidActionError(`The view ${viewId} is below ${top?.id}`);
  return view;
}

/** Lists the blocks of a surface. */
function listSurfaceBlocks(surface: InteractionSurface): readonly JsonObject[] {
  return surface.kind === 'view' ? surface.view.blocks : listMessageBlocks(surface.message);
}

/** Returns the values that a person entered or chose on a surface. */
export function getValues(surface: InteractionSurface, workspace: Workspace, person: Person): StateValues {
  if (surface.kind === 'view') return surface.view.values;
  return resolveValues(listSurfaceBlocks(surface), workspace.messageValues.get(valuesKey(surface, person)));
}

/** Stores the values that a person entered or chose on a surface. */
export function saveValues(
  surface: InteractionSurface,
  workspace: Workspace,
  person: Person,
  values: StateValues,
): void {
  if (surface.kind === 'view') workspace.views.setValues(surface.view, values);
  else workspace.messageValues.set(valuesKey(surface, person), values);
}

/** Returns the options that the app has returned for an external menu. */
export function listOfferedOptions(
  surface: InteractionSurface,
  { blockId, actionId }: PlacedElement,
): readonly JsonObject[] {
  return (surface.kind === 'view' && surface.view.offeredOptions.get(`${blockId} ${actionId}`)) || [];
}

interface ElementReference {
  readonly actionId: string;
  readonly blockId?: string | undefined;
  /** Tells buttons with the same `action_id` apart. */
  readonly value?: unknown;
}

/** Returns the matching element. Throws if none or more than one matches. */
export function resolveElement(
  surface: InteractionSurface,
  { actionId, blockId, value }: ElementReference,
): PlacedElement {
  const all = listElements(listSurfaceBlocks(surface));
  const named = all.filter(
    (one) => one.actionId === actionId && (blockId === undefined || one.blockId === blockId),
  );
  const withValue = named.filter(({ type, element }) => isButton(type) && element.value === value);
  const found = value !== undefined && withValue.length > 0 ? withValue : named;
  const [first, second] = found;
  if (first && isButton(first.type) && value !== undefined && withValue.length === 0) {
    throw new InvalidActionError(`No button ${actionId} has the value ${String(value)}`, 404);
  }
  if (first && !second) return first;
  if (first)
    throw new InvalidActionError(
      `There are ${found.length} elements ${actionId}: name the block_id or value`,
    );
  const known = [...new Set(all.map((one) => one.actionId))].join(', ') || 'none';
  throw new InvalidActionError(
    `There is no element ${blockId ? `${blockId}/` : ''}${actionId}; there are: ${known}`,
    404,
  );
}

/** Returns whether an element is only clicked, and doesn't have a value to choose. */
export function isButton(type: string): boolean {
  return type === 'button' || type === 'icon_button';
}

function valuesKey(surface: MessageSurface, person: Person): string {
  return `${surface.channel.id} ${surface.message.ts} ${person.id}`;
}
