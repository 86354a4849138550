import { vpsName } from '../../hosting/fields.ts';

const candidate = /\bvps-[a-z0-9][a-z0-9_-]*/gi;

/** Finds the names of VPS in a message, in its text and in its blocks, each once, in their order. */
export function vpsNamesIn(message: unknown): readonly string[] {
  const words = JSON.stringify(message ?? '').match(candidate) ?? [];
  return [...new Set(words.flatMap((word) => vpsName.safeParse(word.replace(/[-_]+$/, '')).data ?? []))];
}
