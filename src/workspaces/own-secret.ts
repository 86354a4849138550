import { randomBytes } from 'node:crypto';
import type { Database } from '../storage/database.ts';
import type { Vault } from '../storage/vault.ts';

const secretBytes = 32;

/** Gives a secret of this installation's own, made at the first call and never changed: whatever derives from it stays the same. */
export async function ownSecret(db: Database, vault: Vault, name: string): Promise<string> {
  const use = { purpose: 'own-secret', owner: name } as const;
  const secret_jwe = await vault.seal(randomBytes(secretBytes).toString('base64url'), use);
  await db
    .insertInto('own_secret')
    .values({ name, secret_jwe })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Of replicas that start at once, one has made it.
  const row = await db
    .selectFrom('own_secret')
    .select('secret_jwe')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return vault.open(row.secret_jwe, use);
}
