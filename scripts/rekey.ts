import { readDatabaseConfig } from '../src/config.ts';
import { rekey } from '../src/db/encryption/rekey.ts';
import { createVault } from '../src/db/encryption/vault.ts';
import { openDatabase } from '../src/db/engines/database.ts';
import { RackhandError } from '../src/errors.ts';

try {
  const { databaseUrl, encryptionKeys } = readDatabaseConfig(process.env);
  const { db, close } = await openDatabase(databaseUrl);
  const results = await rekey(db, createVault(encryptionKeys)).finally(close);
  for (const { nouns, reencrypted, unreadable, outdated } of results) {
    const [, plural] = nouns;
    console.log(
      `${plural}: ${reencrypted} encrypted with the first key, ${unreadable} unreadable, ${outdated} still with another key`,
    );
  }
  const isComplete = results.every(({ unreadable, outdated }) => unreadable + outdated === 0);
  console.log(
    isComplete
      ? 'Everything is encrypted with the first of ENCRYPTION_KEYS. You can remove the others.'
      : 'Keep all of ENCRYPTION_KEYS. Unreadable secrets were encrypted with a key that is not among them. Secrets still with another key were written by a process that has the keys in another order: restart it, then run this again.',
  );
  if (!isComplete) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof RackhandError ? error.message : error);
  process.exitCode = 1;
}
