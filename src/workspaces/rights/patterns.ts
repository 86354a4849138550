import { z } from 'zod';
import { everything, fits, vpsPattern } from './pattern.ts';

/** Separates what several of are given. */
const separators = /[\s,]+/;

/** Most that are taken at once: more is better a group, or a pattern. */
const mostAtOnce = 20;

/** Takes the words of a text, each by itself, and writes them again with a space between. */
export function several(one: z.ZodType<string, string>, noun: string): z.ZodType<string, string> {
  return z
    .string({ error: `Name ${noun}` })
    .transform((text) => text.split(separators).filter((word) => word !== ''))
    .pipe(z.array(one).max(mostAtOnce, { error: `At most ${mostAtOnce} at once` }))
    .transform((values) => [...new Set(values)].join(' '));
}

/** Takes names and patterns of VPS, as a person separates them; they come out separated by spaces, and as `*` where one of them is. */
export const vpsPatterns = several(vpsPattern, 'a VPS').transform((text) =>
  wordsOf(text).includes(everything) ? everything : text,
);

/** Takes several apart that are written with a space between. */
export function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** Tells whether a name fits one of several patterns. */
export function fitsOneOf(patterns: string, name: string): boolean {
  return wordsOf(patterns).some((pattern) => fits(pattern, name));
}

/** Gives those of several patterns that fit none of the names. */
export function fittingNone(patterns: string, names: readonly string[]): readonly string[] {
  return wordsOf(patterns).filter((pattern) => !names.some((name) => fits(pattern, name)));
}

/** Writes several patterns for people: `all`, or each of them. */
export function patternWords(patterns: string): string {
  return patterns === everything ? 'all' : wordsOf(patterns).join(', ');
}

/** Writes several patterns in little room: `VPS-10001 and 3 more`. */
export function patternsInShort(patterns: string): string {
  const [first = '', ...more] = wordsOf(patterns);
  if (more.length > 0) return `${first} and ${more.length} more`;
  return first === everything ? 'all VPS' : first;
}
