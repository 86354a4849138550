import { formatList } from '../../../format-list.ts';

interface UnreadableRows {
  /** The names of all rows, readable or not. */
  readonly names: readonly string[];
  readonly readable: readonly { readonly name: string }[];
  /** What a row is called, in singular and plural: "watch" and "watches". */
  readonly one: string;
  readonly many: string;
}

/** The texts with which a list mentions the rows that it leaves out because they can't be read. */
interface UnreadableTexts {
  /** The title for a list in which no row can be read. Undefined if all rows can be read. */
  readonly title?: string;
  readonly notes: readonly string[];
}

/** Returns texts that name the unreadable rows. */
export function describeUnreadable({ names, readable, one, many }: UnreadableRows): UnreadableTexts {
  const left = names.filter((name) => !readable.some((row) => row.name === name));
  const subject = left.length === 1 ? `the ${one}` : `the ${many}`;
  return describe(left.length, `${subject} ${formatList(left, 'and')}`, { one, many });
}

/** Returns texts that only count the unreadable rows, because the reader isn't allowed to see their names. */
export function countUnreadable({ names, readable, one, many }: UnreadableRows): UnreadableTexts {
  const count = names.length - readable.length;
  return describe(count, count === 1 ? `one ${one}` : `${count} ${many}`, { one, many });
}

function describe(
  count: number,
  what: string,
  { one, many }: Pick<UnreadableRows, 'one' | 'many'>,
): UnreadableTexts {
  if (count <= 0) return { notes: [] };
  return {
    title: count === 1 ? `One ${one} can't be read` : `${count} ${many} can't be read`,
    notes: [`This version of Rackhand can't read ${what}. The log says why.`],
  };
}
