import { z } from 'zod';
import { defaultLimit } from '../../hosting/quota/quota.ts';

/** Longest key that is taken; the API document shows no length, and this fits into a header everywhere. */
export const mostKeyChars = 1_000;

/** Largest quota that is taken: more would be a slip of the finger. */
export const mostLimit = 10_000;

const missing = 'Paste the API key here.';

const isToken = 'This is a token of Slack, not a key of the hosting service. It was sent nowhere.';
const hasScheme = 'Leave out the word Bearer: only what comes after it is the key.';
const hasSpaces = 'A key has no spaces or line breaks in it: copy it once more.';
const hasOddSigns = 'A key has only plain letters, digits and signs in it: copy it once more.';
const quotaShape = `The quota is a whole number from 1 to ${mostLimit}.`;

/** What surrounds a key comes from copying; what is wrong within is said, and nothing is sent. */
const apiKey = z
  .string({ error: missing })
  .trim()
  .min(1, { abort: true, error: missing })
  .max(mostKeyChars, { abort: true, error: `A key has at most ${mostKeyChars} characters.` })
  .regex(/^(?!xox[a-z]?[-.]|xapp-)/, { abort: true, error: isToken })
  .regex(/^(?!bearer\s)/i, { abort: true, error: hasScheme })
  .regex(/^\S+$/, { abort: true, error: hasSpaces })
  .regex(/^[\x21-\x7e]+$/, { error: hasOddSigns });

const limit = z
  .string()
  .trim()
  .transform((text) => (text === '' ? String(defaultLimit) : text))
  .pipe(z.string().regex(/^\d{1,9}$/, { error: quotaShape }))
  .transform(Number)
  .pipe(z.int().min(1, { error: quotaShape }).max(mostLimit, { error: quotaShape }));

const givenKey = z.object({ apiKey, limit: limit.default(defaultLimit) });

/** An API key as a person gave it, and its quota: requests in any 60 s. */
export type GivenKey = z.output<typeof givenKey>;

/** What is wrong, by field: one sentence each, which says nothing of the key itself. */
export type KeyProblems = Readonly<Partial<Record<keyof GivenKey, string>>>;

export type ReadKey =
  | { readonly ok: true; readonly given: GivenKey }
  | { readonly ok: false; readonly problems: KeyProblems };

/** Reads what a person gave, as text. The quota may be left out. */
export function readGivenKey(given: Readonly<Record<keyof GivenKey, string | undefined>>): ReadKey {
  const read = givenKey.safeParse(given);
  if (read.success) return { ok: true, given: read.data };
  // Of each field the first complaint is the one to act upon.
  const complaints = read.error.issues.toReversed().map(({ path: [field], message }) => [field, message]);
  return { ok: false, problems: Object.fromEntries(complaints) };
}
