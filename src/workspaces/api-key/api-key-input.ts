import { z } from 'zod';
import { defaultQuotaLimit } from '../../hosting/quota/rate-limiter.ts';

/**
 * Maximum length of a key. The API document states no limit, but any server accepts a header with a value
 * of this length.
 */
export const maxKeyChars = 1_000;

/** Maximum quota, in requests per 60 s. A larger number is considered a typo. */
export const maxLimit = 10_000;

const missingKeyMessage = 'Paste the API key here.';

const slackTokenMessage = 'This is a Slack token, not a key for the hosting service. It was not sent.';
const bearerMessage = 'Leave out the word Bearer. The key begins after it.';
const whitespaceMessage = 'An API key contains no spaces or line breaks. Copy it again.';
const charactersMessage = 'An API key contains only ASCII letters, digits and symbols. Copy it again.';
const limitMessage = `The quota is a whole number from 1 to ${maxLimit}.`;

/** Trims whitespace left over from copying, and rejects obvious mistakes before the key is sent to the service. */
const apiKeySchema = z
  .string({ error: missingKeyMessage })
  .trim()
  .min(1, { abort: true, error: missingKeyMessage })
  .max(maxKeyChars, { abort: true, error: `An API key has at most ${maxKeyChars} characters.` })
  .regex(/^(?!xox[a-z]?[-.]|xapp-)/, { abort: true, error: slackTokenMessage })
  .regex(/^(?!bearer\s)/i, { abort: true, error: bearerMessage })
  .regex(/^\S+$/, { abort: true, error: whitespaceMessage })
  .regex(/^[\x21-\x7e]+$/, { error: charactersMessage });

const limitSchema = z
  .string()
  .trim()
  .transform((text) => (text === '' ? String(defaultQuotaLimit) : text))
  .pipe(z.string().regex(/^\d{1,9}$/, { error: limitMessage }))
  .transform(Number)
  .pipe(z.int().min(1, { error: limitMessage }).max(maxLimit, { error: limitMessage }));

const apiKeyInputSchema = z.object({ apiKey: apiKeySchema, limit: limitSchema.default(defaultQuotaLimit) });

/** An API key and its quota: the number of requests allowed in any 60 s. */
export type ApiKeyInput = z.output<typeof apiKeyInputSchema>;

/** One sentence for each invalid field. It never contains the key. */
export type KeyProblems = Readonly<Partial<Record<keyof ApiKeyInput, string>>>;

export type ParsedApiKeyInput =
  | { readonly kind: 'valid'; readonly input: ApiKeyInput }
  | { readonly kind: 'invalid'; readonly problems: KeyProblems };

/** Parses a key and its quota as entered. The quota is optional. */
export function parseApiKeyInput(
  raw: Readonly<Record<keyof ApiKeyInput, string | undefined>>,
): ParsedApiKeyInput {
  const parsed = apiKeyInputSchema.safeParse(raw);
  if (parsed.success) return { kind: 'valid', input: parsed.data };
  // Reversed, because `Object.fromEntries` keeps the last problem of a field but people need the first
  // one.
  const problems = parsed.error.issues.toReversed().map(({ path: [field], message }) => [field, message]);
  return { kind: 'invalid', problems: Object.fromEntries(problems) };
}
