import { readStorageConfig } from '../src/config.ts';
import { RackhandError } from '../src/error.ts';
import { openDatabase } from '../src/storage/database.ts';
import { rekey } from '../src/storage/rekey.ts';
import { createVault } from '../src/storage/vault.ts';

try {
  const { databaseUrl, encryptionKeys } = readStorageConfig(process.env);
  const { db, close } = await openDatabase(databaseUrl);
  const results = await rekey(db, createVault(encryptionKeys)).finally(close);
  for (const { nouns, renewed, unreadable, left } of results) {
    const [, several] = nouns;
    console.log(
      `${several}: ${renewed} encrypted anew, ${unreadable} unreadable, ${left} still with another key`,
    );
  }
  const isWhole = results.every(({ unreadable, left }) => unreadable + left === 0);
  console.log(
    isWhole
      ? 'Everything is encrypted with the first of ENCRYPTION_KEYS: the others can be taken out.'
      : 'Leave all of ENCRYPTION_KEYS where they are. What is unreadable was encrypted with a key that is not among them; what is still with another key comes from a process that has the keys in another order: restart it, and run this again.',
  );
  if (!isWhole) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof RackhandError ? error.message : error);
  process.exitCode = 1;
}
