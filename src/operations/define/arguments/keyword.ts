import { z } from 'zod';
import type { Control } from './argument.ts';

/** Returns a schema that accepts the keys of `labels`, in upper or lower case. */
export function keywordSchema<Word extends string>(labels: Readonly<Record<Word, string>>, error: string) {
  const isWord = (given: string): given is Word => Object.hasOwn(labels, given);
  return z.string({ error }).trim().toLowerCase().refine(isWord, { error });
}

export function keywordControl(labels: Readonly<Record<string, string>>): Control {
  return { kind: 'choice', options: Object.keys(labels), labels };
}
