/** The rights that can be granted, lowest first. Each right includes all lower rights. */
export const rights = ['view', 'reveal', 'operate', 'destroy', 'admin'] as const;

export type Right = (typeof rights)[number];

/** Returns whether a held right is the same as or higher than the needed right. */
export function includesRight(held: Right, needed: Right): boolean {
  return rights.indexOf(held) >= rights.indexOf(needed);
}

/** The rights as listed in messages: "view, reveal, operate, …". */
export const rightOrder = rights.join(', ');
