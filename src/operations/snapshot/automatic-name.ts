import { createHash } from 'node:crypto';

/** Services limit the length of names. This leaves room for the time and the random part. */
const maxPrefixChars = 32;

/**
 * Returns the name of a snapshot that Rackhand takes automatically: `nightly-20261124t0200z-5f1c09ab`. Its
 * last part comes from a secret ID, so nobody else takes a snapshot with the same name.
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
