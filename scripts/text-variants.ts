import type { UserText } from './read-user-texts.ts';

const contractions: readonly (readonly [pattern: RegExp, full: string])[] = [
  [/\bcan't\b/g, 'cannot'],
  [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/\b(it|there|that|who|what|here)'s\b/g, '$1 is'],
  [/'re\b/g, ' are'],
  [/'ll\b/g, ' will'],
  [/\bi'm\b/g, 'i am'],
];

/** Texts with fewer words are labels, whose punctuation can differ. */
const minWords = 3;

/**
 * Returns groups of texts that have the same words but differ in contractions or dashes.
 * Differences in case and other punctuation don't count, so that a button can repeat what a
 * sentence says.
 */
export function findTextVariants(texts: readonly UserText[]): (readonly string[])[] {
  const groups = Map.groupBy(
    texts.map(({ text }) => withoutExpressions(text)),
    toWords,
  );
  return [...groups]
    .filter(([words]) => words.split(' ').filter((word) => word !== '{}').length >= minWords)
    .map(([, variants]) => [...new Map(variants.map((text) => [toComparable(text), text])).values()])
    .filter((variants) => variants.length > 1);
}

/** Replaces each `{expression}` by `{}`. */
function withoutExpressions(text: string): string {
  return text.replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}');
}

function toComparable(text: string): string {
  const plain = text.toLowerCase().replaceAll(/["“”#.,;:…?!]|--/g, ' ');
  return plain.replaceAll(/\s+/g, ' ').trim();
}

function toWords(text: string): string {
  const full = contractions.reduce(
    (words, [pattern, replacement]) => words.replace(pattern, replacement),
    text.toLowerCase().replaceAll('’', "'"),
  );
  return full.replace(/[^\p{L}\p{N}{}]+/gu, ' ').trim();
}
