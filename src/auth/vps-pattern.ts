import { z } from 'zod';
import { vpsName } from '../hosting/endpoints/fields.ts';

/** Matches all VPS, and account-wide resources such as the IP address list. */
export const allVps = '*';

/** Maximum length of a pattern, which is twice the longest VPS name. */
const maxPatternChars = 90;

/** A VPS name, or a pattern in which `*` matches any characters. The prefix is normalized to upper case. */
const vpsPatternSchema = z
  .string()
  .trim()
  .max(maxPatternChars, `Use at most ${maxPatternChars} characters`)
  .regex(/^[A-Za-z0-9_*-]+$/, 'A pattern is a VPS name in which * matches any characters, such as VPS-100*')
  .overwrite((text) => text.replace(/^vps-/i, 'VPS-').replace(/\*+/g, '*'))
  .refine(
    (text) => text.startsWith('*') || text.startsWith('VPS-'),
    'VPS names and patterns begin with VPS-, such as VPS-10001 or VPS-100*',
  )
  .refine((text) => text.includes('*') || vpsName.safeParse(text).success, 'A VPS name looks like VPS-10001');

/** Maximum length of a word. Any hostname is shorter. */
const maxWordChars = 260;

const isVpsPattern = /^vps-/i;

/** A word that selects VPS: a VPS name, another name, or a pattern of either, such as `web-*`. */
export const vpsWordSchema = z
  .string()
  .trim()
  .max(maxWordChars, { error: `Use at most ${maxWordChars} characters` })
  .transform((word, context) => {
    if (!isVpsPattern.test(word) && /^[\p{L}\p{N}._*-]+$/u.test(word)) return word.replace(/\*+/g, '*');
    const parsed = vpsPatternSchema.safeParse(word);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'Not a name of a VPS' });
    return z.NEVER;
  }) as unknown as z.ZodType<string, string>;

/**
 * The VPS that a right or rule applies to: any name, which the run resolves to a VPS name, or a pattern of
 * VPS names. Patterns of other names are rejected, because hosts can be renamed.
 */
export const boundVpsSchema = vpsWordSchema.superRefine((word, context) => {
  if (!word.includes('*') || vpsPatternSchema.safeParse(word).success) return;
  const message = `${word} matches hostnames, which can change: name each VPS, or give a pattern of VPS names such as VPS-100*`;
  context.addIssue({ code: 'custom', message });
});

/** Returns whether a word can match only VPS names and no other names. */
export function isVpsNamePattern(word: string): boolean {
  return isVpsPattern.test(word);
}

/** Formats the scope of a right or rule for messages: "all VPS", or the patterns. */
export function formatScope(patterns: readonly string[]): string {
  return patterns.includes(allVps) ? 'all VPS' : patterns.join(', ');
}

const separators = /[\s,]+/;

/** Maximum number of items in a list. Anyone who needs more should use a user group or a pattern. */
const maxItems = 20;

/**
 * Creates a schema for up to `maxItems` words. The parsed text contains each distinct word once, separated
 * by spaces.
 */
export function listSchema(item: z.ZodType<string, string>, noun: string): z.ZodType<string, string> {
  return z
    .string({ error: `Name ${noun}` })
    .transform((text) => text.split(separators).filter((word) => word !== ''))
    .pipe(z.array(item).max(maxItems, { error: `At most ${maxItems} at once` }))
    .transform((values) => [...new Set(values)].join(' '));
}

/** Creates a schema for several words that select VPS. If one of them is `*`, the result is `*`. */
export function vpsListSchema(word: z.ZodType<string, string>): z.ZodType<string, string> {
  return listSchema(word, 'a VPS').transform((text) => (splitList(text).includes(allVps) ? allVps : text));
}

/** Splits a space-separated list. Returns each word once. */
export function splitList(text: string): readonly string[] {
  return [...new Set(text.split(' ').filter((word) => word !== ''))];
}

/** Explains what a right or rule with these names or patterns covers. Empty if it covers all VPS. */
export function describeBinding(patterns: readonly string[]): readonly string[] {
  const bound = patterns.filter((pattern) => pattern !== allVps);
  if (bound.length === 0 || bound.length < patterns.length) return [];
  const isAnyPattern = bound.some((pattern) => pattern.includes('*'));
  const isAnyName = bound.some((pattern) => !pattern.includes('*'));
  return [
    ...(isAnyName ? ['This stays with the VPS name, even if hostnames change.'] : []),
    ...(isAnyPattern
      ? ['A pattern matches VPS names only, never hostnames. It also covers VPS that are created later.']
      : []),
  ];
}

/** Formats a pattern list for messages: "all", or each pattern. */
export function formatPatterns(patterns: string): string {
  return patterns === allVps ? 'all' : splitList(patterns).join(', ');
}

/** Formats a pattern list for places with little room: "VPS-10001 and 3 more". */
export function formatPatternsShort(patterns: string): string {
  const [first = '', ...others] = splitList(patterns);
  if (others.length > 0) return `${first} and ${others.length} more`;
  return first === allVps ? 'all VPS' : first;
}
