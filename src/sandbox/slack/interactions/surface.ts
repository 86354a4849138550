import type { JsonObject } from '../json.ts';
import { type Channel, mayRead } from '../world/channels.ts';
import { blocksOf, elementsOf, type PlacedElement } from '../world/elements.ts';
import type { Message } from '../world/messages.ts';
import type { Person } from '../world/seed.ts';
import { type Values, valuesOf } from '../world/stateful-elements.ts';
import type { ShownView } from '../world/views.ts';
import type { Workspace } from '../world/workspace.ts';
import { Impossible } from './impossible.ts';

/** What a person looks at while they press something: a message or a view. */
export type Surface = SeenMessage | { readonly kind: 'view'; readonly view: ShownView };

export interface SeenMessage {
  readonly kind: 'message';
  readonly channel: Channel;
  readonly message: Message;
  readonly isEphemeral: boolean;
}

/** Finds a message as somebody sees it; throws where they do not. */
export function messageSeen(workspace: Workspace, person: Person, channel: Channel, ts: string): SeenMessage {
  const ephemeral = workspace.messages.findEphemeral(channel.id, ts, person.id);
  const message = ephemeral ?? workspace.messages.find(channel.id, ts);
  if (!message || !mayRead(workspace, channel, person.id)) {
    throw new Impossible(`${person.id} sees no message ${ts} in ${channel.id}`, 404);
  }
  return { kind: 'message', channel, message, isEphemeral: ephemeral !== undefined };
}

/** Finds a view that somebody can use: their Home tab, or the top view of their modal. */
export function viewSeen(workspace: Workspace, person: Person, viewId: string): ShownView {
  const view = workspace.views.byId(viewId);
  if (view?.owner !== person.id) throw new Impossible(`${person.id} has no view ${viewId}`, 404);
  const top = workspace.views.stackOf(person.id).at(-1);
  if (view.type === 'modal' && view !== top) throw new Impossible(`The view ${viewId} is below ${top?.id}`);
  return view;
}

/** Lists a surface's blocks. */
function blocksOn(surface: Surface): readonly JsonObject[] {
  return surface.kind === 'view' ? surface.view.blocks : blocksOf(surface.message);
}

/** What somebody has filled in or chosen on a surface. */
export function valuesOn(surface: Surface, workspace: Workspace, person: Person): Values {
  if (surface.kind === 'view') return surface.view.values;
  return valuesOf(blocksOn(surface), workspace.choices.get(choiceKey(surface, person)));
}

/** Keeps what somebody has filled in or chosen on a surface. */
export function keepValues(surface: Surface, workspace: Workspace, person: Person, values: Values): void {
  if (surface.kind === 'view') workspace.views.fill(surface.view, values);
  else workspace.choices.set(choiceKey(surface, person), values);
}

/** Options that the app last offered for an external menu. */
export function offeredFor(surface: Surface, { blockId, actionId }: PlacedElement): readonly JsonObject[] {
  return (surface.kind === 'view' && surface.view.offered.get(`${blockId} ${actionId}`)) || [];
}

interface Wanted {
  readonly actionId: string;
  readonly blockId?: string | undefined;
  /** Picks among buttons with the same `action_id`. */
  readonly value?: unknown;
}

/** Finds the one element that is meant; throws where there is none, or more than one. */
export function elementOn(surface: Surface, { actionId, blockId, value }: Wanted): PlacedElement {
  const all = elementsOf(blocksOn(surface));
  const named = all.filter(
    (one) => one.actionId === actionId && (blockId === undefined || one.blockId === blockId),
  );
  const withValue = named.filter(({ type, element }) => isButton(type) && element.value === value);
  const found = value !== undefined && withValue.length > 0 ? withValue : named;
  const [first, second] = found;
  if (first && isButton(first.type) && value !== undefined && withValue.length === 0) {
    throw new Impossible(`No button ${actionId} has the value ${String(value)}`, 404);
  }
  if (first && !second) return first;
  if (first)
    throw new Impossible(`There are ${found.length} elements ${actionId}: name the block_id or value`);
  const known = [...new Set(all.map((one) => one.actionId))].join(', ') || 'none';
  throw new Impossible(
    `There is no element ${blockId ? `${blockId}/` : ''}${actionId}; there are: ${known}`,
    404,
  );
}

/** Tells elements that are pressed from those in which something is chosen. */
export function isButton(type: string): boolean {
  return type === 'button' || type === 'icon_button';
}

function choiceKey(surface: SeenMessage, person: Person): string {
  return `${surface.channel.id} ${surface.message.ts} ${person.id}`;
}
