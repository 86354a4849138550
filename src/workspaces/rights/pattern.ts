import { z } from 'zod';
import { vpsName } from '../../hosting/fields.ts';

/** Stands for all VPS, and for what concerns none of them or all at once: the list of addresses, WebGate. */
export const everything = '*';

/** Twice the longest name that is taken for one of a VPS. */
const mostChars = 90;

/** A VPS by its name, or several by a pattern in which `*` stands for any characters. The prefix comes out in upper case. */
export const vpsPattern = z
  .string()
  .trim()
  .max(mostChars, 'A pattern has at most 90 characters')
  .regex(/^[A-Za-z0-9_*-]+$/, 'A pattern is a name of a VPS, in which * stands for any characters: VPS-100*')
  .overwrite((text) => text.replace(/^vps-/i, 'VPS-').replace(/\*+/g, '*'))
  .refine(
    (text) => text.startsWith('*') || text.startsWith('VPS-'),
    'A VPS name begins with VPS-, and so does a pattern: VPS-100*',
  )
  .refine((text) => text.includes('*') || vpsName.safeParse(text).success, 'A VPS name looks like VPS-10001');

/** Tells whether a name fits a pattern, or whether all names do that fit another one. What follows the prefix is not free of case. */
export function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!name.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** Says in words what patterns are of. */
export function scopeWords(patterns: readonly string[]): string {
  return patterns.includes(everything) ? 'all VPS' : patterns.join(', ');
}
