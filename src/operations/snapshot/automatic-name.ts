import { createHash } from 'node:crypto';

/** Maximum length of the prefix. Services limit the length of names, and the time and the random part need room too. */
const maxPrefixChars = 32;

/**
 * Returns a name for an automatic snapshot, such as `nightly-20261124t0200z-5f1c09ab`. The last part is
 * derived from a secret ID, so nobody else can use the same name.
 */
export function toAutomaticName(words: string, takenMs: number, secretId: string): string {
  const prefix = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, maxPrefixChars);
  const time = new Date(takenMs).toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase();
  const random = createHash('sha256').update(secretId).digest('hex').slice(0, 8);
  return [prefix || 'snapshot', `${time}z`, random].join('-');
}
