import { toJsonPointer } from './problem.ts';

/** An object in a message or view, and where it is. */
export interface LocatedObject {
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * Returns all blocks in a list, including those in containers and carousels. Works even if the list
 * is invalid in other ways.
 */
export function findBlocks(list: unknown, pointer: string): LocatedObject[] {
  return findObjects(list, pointer).flatMap((block) => [
    block,
    ...(block.value.type === 'container' ? findInField(block, 'child_blocks') : []),
    ...(block.value.type === 'carousel' ? findInField(block, 'elements') : []),
  ]);
}

/**
 * Returns the elements in a block: those in its list, a section's accessory, an input's element, or
 * a card's buttons.
 */
export function findElements(block: LocatedObject): LocatedObject[] {
  const { type } = block.value;
  if (type === 'rich_text' || type === 'carousel') return [];
  return ['elements', 'actions', 'accessory', 'element'].flatMap((field) => findInField(block, field));
}

function findInField(place: LocatedObject, field: string): LocatedObject[] {
  const value = place.value[field];
  const pointer = toJsonPointer(place.pointer, [field]);
  return Array.isArray(value) ? findObjects(value, pointer) : isObject(value) ? [{ pointer, value }] : [];
}

function findObjects(list: unknown, pointer: string): LocatedObject[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: unknown, index) =>
    isObject(value) ? [{ pointer: `${pointer}/${index}`, value }] : [],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
