/** What a person can be granted, each including those before it. */
export const rights = ['look', 'change', 'destroy', 'administer'] as const;

export type Right = (typeof rights)[number];

/** Tells whether a right includes another. */
export function includesRight(held: Right, needed: Right): boolean {
  return rights.indexOf(held) >= rights.indexOf(needed);
}
