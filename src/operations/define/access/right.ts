/** The rights that can be granted. Each right includes those before it. */
export const rights = ['view', 'reveal', 'operate', 'destroy', 'admin'] as const;

export type Right = (typeof rights)[number];

/** Returns whether a right includes another. */
export function includesRight(held: Right, needed: Right): boolean {
  return rights.indexOf(held) >= rights.indexOf(needed);
}

/** Lists the rights for messages: "view, reveal, operate, …". */
export const rightOrder = rights.join(', ');
