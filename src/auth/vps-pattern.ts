import { z } from 'zod';
import { vpsName } from '../hosting/endpoints/fields.ts';

/**
 * Matches all VPS, and account-wide things that don't belong to a single VPS, such as the IP
 * address list.
 */
export const allVps = '*';

/** Twice the longest VPS name. */
const maxPatternChars = 90;

/** A VPS name, or a pattern in which `*` matches any characters. Normalizes the prefix to upper case. */
export const vpsPatternSchema = z
  .string()
  .trim()
  .max(maxPatternChars, `A pattern has at most ${maxPatternChars} characters`)
  .regex(/^[A-Za-z0-9_*-]+$/, 'A pattern is a VPS name in which * matches any characters, such as VPS-100*')
  .overwrite((text) => text.replace(/^vps-/i, 'VPS-').replace(/\*+/g, '*'))
  .refine(
    (text) => text.startsWith('*') || text.startsWith('VPS-'),
    'VPS names and patterns begin with VPS-, such as VPS-10001 or VPS-100*',
  )
  .refine((text) => text.includes('*') || vpsName.safeParse(text).success, 'A VPS name looks like VPS-10001');

/** Returns whether a pattern matches a name or includes another pattern. Case-sensitive. */
export function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  if (!name.startsWith(first)) return false;
  const last = parts.pop();
  if (last === undefined) return name === pattern;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Formats a scope for messages: "all VPS", or the patterns. */
export function formatScope(patterns: readonly string[]): string {
  return patterns.includes(allVps) ? 'all VPS' : patterns.join(', ');
}

const separators = /[\s,]+/;

/** Anyone who needs more names should use a user group or a pattern. */
const maxItems = 20;

/** Accepts up to `maxItems` words. The output contains each distinct word once, separated by spaces. */
export function listSchema(item: z.ZodType<string, string>, noun: string): z.ZodType<string, string> {
  return z
    .string({ error: `Name ${noun}` })
    .transform((text) => text.split(separators).filter((word) => word !== ''))
    .pipe(z.array(item).max(maxItems, { error: `At most ${maxItems} at once` }))
    .transform((values) => [...new Set(values)].join(' '));
}

/** VPS names and patterns, separated by spaces or commas. If one of them is `*`, the result is `*`. */
export const vpsPatternListSchema = listSchema(vpsPatternSchema, 'a VPS').transform((text) =>
  splitList(text).includes(allVps) ? allVps : text,
);

/** Splits a space-separated list. */
export function splitList(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** Returns whether one of the patterns (separated by spaces) matches a name. */
export function matchesAnyPattern(patterns: string, name: string): boolean {
  return splitList(patterns).some((pattern) => matchesPattern(pattern, name));
}

/** Returns the patterns that match none of the names. */
export function listUnmatchedPatterns(patterns: string, names: readonly string[]): readonly string[] {
  return splitList(patterns).filter((pattern) => !names.some((name) => matchesPattern(pattern, name)));
}

/** Formats a pattern list for messages: "all", or each pattern. */
export function formatPatterns(patterns: string): string {
  return patterns === allVps ? 'all' : splitList(patterns).join(', ');
}

/** Formats a pattern list for narrow places: "VPS-10001 and 3 more". */
export function formatPatternsShort(patterns: string): string {
  const [first = '', ...others] = splitList(patterns);
  if (others.length > 0) return `${first} and ${others.length} more`;
  return first === allVps ? 'all VPS' : first;
}
