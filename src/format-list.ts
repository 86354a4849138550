const formats = {
  and: new Intl.ListFormat('en-GB', { type: 'conjunction' }),
  or: new Intl.ListFormat('en-GB', { type: 'disjunction' }),
} as const;

/** Joins words like a sentence does: `a, b and c`. */
export function formatList(words: Iterable<string>, conjunction: keyof typeof formats): string {
  return formats[conjunction].format(words);
}
