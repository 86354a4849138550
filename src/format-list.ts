/** Joins words as in a sentence: `a, b and c`. */
export function formatList(words: Iterable<string>, conjunction: 'and' | 'or'): string {
  const all = [...words];
  const last = all.pop() ?? '';
  return all.length === 0 ? last : `${all.join(', ')} ${conjunction} ${last}`;
}
