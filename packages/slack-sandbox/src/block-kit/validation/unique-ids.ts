import { findElements, type LocatedObject } from './located-objects.ts';
import type { Problem } from './problem.ts';

/** Reports IDs that occur twice: a `block_id` in a message or view, or an `action_id` in a block. */
export function validateUniqueIds(blocks: readonly LocatedObject[]): Problem[] {
  return [
    ...validateUniqueField('block_id', blocks),
    ...blocks.flatMap((block) => validateUniqueField('action_id', findElements(block))),
  ];
}

function validateUniqueField(field: string, places: readonly LocatedObject[]): Problem[] {
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
