import { randomBytes } from 'node:crypto';
import type { Database } from '../engines/database.ts';
import type { Vault } from './vault.ts';

const secretBytes = 32;

/**
 * Returns this Rackhand instance's random secret. The first call creates the secret, which never changes
 * afterwards.
 */
export async function loadInstanceSecret(db: Database, vault: Vault, name: string): Promise<string> {
  const use = { purpose: 'instance-secret', owner: name } as const;
  const find = () =>
    db.selectFrom('instance_secret').select('secret_jwe').where('name', '=', name).executeTakeFirst();
  let row = await find();
  if (!row) {
    const secret_jwe = await vault.encrypt(randomBytes(secretBytes).toString('base64url'), use);
    await db
      .insertInto('instance_secret')
      .values({ name, secret_jwe })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // If several replicas start at once, only one of them inserts its secret, which all of them then use.
    row = await find();
  }
  if (!row) throw new Error(`the instance secret ${name} was not stored`);
  return vault.decrypt(row.secret_jwe, use);
}
