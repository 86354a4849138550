import { elementsOf, type Place } from './places.ts';
import type { Problem } from './problem.ts';

/** Finds ids used twice: a `block_id` in one message or view, an `action_id` in one block. */
export function checkIds(blocks: readonly Place[]): Problem[] {
  return [
    ...checkUnique('block_id', blocks),
    ...blocks.flatMap((block) => checkUnique('action_id', elementsOf(block))),
  ];
}

function checkUnique(field: string, places: readonly Place[]): Problem[] {
  const seen = new Set<string>();
  return places.flatMap(({ pointer, value: { [field]: id } }) => {
    if (typeof id !== 'string') return [];
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated
      ? [{ pointer: `${pointer}/${field}`, message: `\`${field}\` "${id}" already exists` }]
      : [];
  });
}
