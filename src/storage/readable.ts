import { RackhandError } from '../error.ts';
import type { Database } from './database.ts';
import { sealedColumns } from './sealed-columns.ts';
import { sealedRows } from './sealed-rows.ts';
import type { Vault } from './vault.ts';

/** Names that are written out of those that cannot be read. */
const mostNamed = 5;

const whatToDo =
  'Nothing was changed. Put the key that they were encrypted with back into ENCRYPTION_KEYS, behind the new one; `npm run rekey` then encrypts them with the new one.';

/**
 * Looks whether the vault has the keys of all that is kept: it decrypts nothing, and changes nothing. Throws `secret_unreadable` that names what cannot be read.
 */
export async function requireReadable(
  db: Database,
  vault: Pick<Vault, 'keyOf'>,
  now: () => number = Date.now,
): Promise<void> {
  const complaints: string[] = [];
  for (const column of sealedColumns) {
    const unreadable: string[] = [];
    for await (const { key, jwe } of sealedRows(db, column, now())) {
      if (vault.keyOf(jwe) === 'none') unreadable.push(key);
    }
    const [one, several] = column.nouns;
    const count = unreadable.length;
    if (count > 0) complaints.push(`${count} ${count === 1 ? one : several} (${named(unreadable)})`);
  }
  if (complaints.length === 0) return;
  throw new RackhandError(
    'secret_unreadable',
    `With these ENCRYPTION_KEYS Rackhand cannot read what its database holds: ${complaints.join(', ')}. ${whatToDo}`,
  );
}

function named(keys: readonly string[]): string {
  const more = keys.length - mostNamed;
  return [...keys.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
