import { readDatabaseConfig } from '../src/config.ts';
import type { TableDigest } from '../src/db/backup/copy-store.ts';
import { createVault, type Vault } from '../src/db/encryption/vault.ts';
import { type OpenDatabase, openDatabase } from '../src/db/engines/database.ts';
import { RackhandError } from '../src/errors.ts';

/** Runs a tool. If it fails, prints the reason without a stack, and sets the exit code to 1. */
export async function runTool(usage: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    console.error(describeFailure(error, usage));
    process.exitCode = 1;
  }
}

/**
 * Opens the database of the settings for a tool that works on what is stored, and closes it
 * afterwards. A database that doesn't exist isn't created, because it would look like an empty one.
 */
export async function withStoredDatabase(
  work: (database: OpenDatabase, vault: Vault) => Promise<void>,
): Promise<void> {
  const { databaseUrl, encryptionKeys } = readDatabaseConfig(process.env);
  const database = await openDatabase(databaseUrl, { mustExist: true });
  await work(database, createVault(encryptionKeys)).finally(database.close);
}

function describeFailure(error: unknown, usage: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof RackhandError) {
    return error.code === 'database_claimed' ? `${error.message} Stop Rackhand first.` : error.message;
  }
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) return `${error.message}\n${usage}`;
  // The message of a failed system call names the call and the file.
  return 'syscall' in error ? error.message : error;
}

/**
 * Runs a tool that copies tables, and prints what they hold. Prints the reason and sets the exit
 * code to 1 if the tool fails.
 */
export async function runDatabaseTool(
  usage: string,
  argumentCount: number,
  run: (...values: string[]) => Promise<readonly TableDigest[]>,
): Promise<void> {
  await runTool(usage, async () => {
    const values = process.argv.slice(2);
    if (values.length !== argumentCount || values.includes('')) {
      throw new RackhandError('input_invalid', `Usage: ${usage}`);
    }
    for (const { table, rows, digest } of await run(...values)) {
      if (rows > 0) console.log(`${table}: ${rows} rows, digest ${digest}`);
    }
  });
}
