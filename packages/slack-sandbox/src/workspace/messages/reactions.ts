/** An emoji on a message, and who added it. */
export interface Reaction {
  readonly name: string;
  readonly users: readonly string[];
  readonly count: number;
}

/** A message on which there can be reactions. */
interface Reactable {
  readonly reactions?: readonly Reaction[];
}

/** Returns the reactions with one more. A person adds each emoji only once. */
export function addReaction({ reactions = [] }: Reactable, name: string, user: string): readonly Reaction[] {
  const known = reactions.find((reaction) => reaction.name === name);
  const changed = toReaction(name, [...(known?.users ?? []), user]);
  return known
    ? reactions.map((reaction) => (reaction === known ? changed : reaction))
    : [...reactions, changed];
}

/** Returns the reactions without a person's emoji. */
export function removeReaction(
  { reactions = [] }: Reactable,
  name: string,
  user: string,
): readonly Reaction[] {
  return reactions
    .map((reaction) =>
      reaction.name === name
        ? toReaction(
            name,
            reaction.users.filter((each) => each !== user),
          )
        : reaction,
    )
    .filter(({ count }) => count > 0);
}

export function hasReacted({ reactions = [] }: Reactable, name: string, user: string): boolean {
  return reactions.some((reaction) => reaction.name === name && reaction.users.includes(user));
}

function toReaction(name: string, users: readonly string[]): Reaction {
  return { name, users, count: users.length };
}
