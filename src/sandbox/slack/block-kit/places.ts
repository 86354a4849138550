import { pointerTo } from './problem.ts';

/** An object inside a message or view, and where it stands. */
export interface Place {
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Finds every block of a list, those inside containers and carousels included, whatever else is wrong with it. */
export function blocksIn(list: unknown, pointer: string): Place[] {
  return objectsIn(list, pointer).flatMap((block) => [
    block,
    ...(block.value.type === 'container' ? fieldOf(block, 'child_blocks') : []),
    ...(block.value.type === 'carousel' ? fieldOf(block, 'elements') : []),
  ]);
}

/** Finds the elements of a block: those in its list, a section's accessory, an input's element, a card's buttons. */
export function elementsOf(block: Place): Place[] {
  const { type } = block.value;
  if (type === 'rich_text' || type === 'carousel') return [];
  return ['elements', 'actions', 'accessory', 'element'].flatMap((field) => fieldOf(block, field));
}

function fieldOf(place: Place, field: string): Place[] {
  const value = place.value[field];
  const pointer = pointerTo(place.pointer, [field]);
  return Array.isArray(value) ? objectsIn(value, pointer) : isObject(value) ? [{ pointer, value }] : [];
}

function objectsIn(list: unknown, pointer: string): Place[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index) =>
    isObject(value) ? [{ pointer: `${pointer}/${index}`, value }] : [],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
