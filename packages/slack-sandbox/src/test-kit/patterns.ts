import type { Pattern } from './slack-types.ts';

/** Returns whether a candidate, or one of its texts, matches a pattern. */
export function matches<T>(pattern: Pattern<T>, candidate: T, texts: readonly string[]): boolean {
  if (typeof pattern === 'function') return pattern(candidate);
  return texts.some((text) => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)));
}

/** Returns a pattern as a failure's message shows it. */
export function describePattern<T>(pattern: Pattern<T>): string {
  return typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern);
}
