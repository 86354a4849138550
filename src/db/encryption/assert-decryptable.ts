import { RackhandError } from '../../errors.ts';
import type { Database } from '../engines/database.ts';
import { encryptedColumns } from './encrypted-columns.ts';
import { readEncryptedRows } from './encrypted-rows.ts';
import type { Vault } from './vault.ts';

/** Maximum number of unreadable rows named in the error message. */
const maxNamesListed = 5;

const recoveryHint =
  'Nothing was changed. Add the old key to ENCRYPTION_KEYS again, after the new one. Then `npm run rekey` encrypts everything with the new key.';

/**
 * Checks that the vault has the key for every stored secret, without decrypting any secret. Throws
 * `secret_unreadable` and names the rows if a key is missing.
 */
export async function assertDecryptable(
  db: Database,
  vault: Pick<Vault, 'matchKey'>,
  now: () => number = Date.now,
): Promise<void> {
  const problems: string[] = [];
  for (const column of encryptedColumns) {
    const unreadable: string[] = [];
    for await (const { key, jwe } of readEncryptedRows(db, column, now())) {
      if (vault.matchKey(jwe) === 'unknown') unreadable.push(key);
    }
    const [singular, plural] = column.nouns;
    const count = unreadable.length;
    if (count > 0) problems.push(`${count} ${count === 1 ? singular : plural} (${formatNames(unreadable)})`);
  }
  if (problems.length === 0) return;
  throw new RackhandError(
    'secret_unreadable',
    `ENCRYPTION_KEYS lacks the key for stored secrets: ${problems.join(', ')}. ${recoveryHint}`,
  );
}

function formatNames(keys: readonly string[]): string {
  const more = keys.length - maxNamesListed;
  return [...keys.slice(0, maxNamesListed), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
