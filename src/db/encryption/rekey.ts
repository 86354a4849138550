import { RackhandError } from '../../errors.ts';
import type { Database } from '../engines/database.ts';
import { type EncryptedColumn, encryptedColumns } from './encrypted-columns.ts';
import { type EncryptedRow, readEncryptedRows, replaceCiphertext } from './encrypted-rows.ts';
import type { Vault } from './vault.ts';

/** How many of a column's secrets are in each state after a rekey. */
export interface RekeyResult extends Pick<EncryptedColumn, 'nouns'> {
  /** Secrets that were re-encrypted with the first key. */
  readonly reencrypted: number;
  /** Secrets that were left unchanged, because no key decrypts them. */
  readonly unreadable: number;
  /** Secrets that are still encrypted with another key, because another process keeps using that key. */
  readonly outdated: number;
}

/**
 * Maximum number of passes. Several can be needed, because a replica can write rows with an older key
 * during a pass.
 */
const maxPasses = 10;

/**
 * Re-encrypts all stored secrets with the first key. Replicas can keep running: if a row changes in the
 * meantime, the next pass handles it. After an interruption, this can be run again.
 */
export async function rekey(
  db: Database,
  vault: Vault,
  now: () => number = Date.now,
): Promise<readonly RekeyResult[]> {
  const results: RekeyResult[] = [];
  for (const column of encryptedColumns) {
    let reencrypted = 0;
    let pass = await runPass(db, vault, column, now());
    for (let count = 1; pass.outdated > 0 && count < maxPasses; count += 1) {
      reencrypted += pass.reencrypted;
      pass = await runPass(db, vault, column, now());
    }
    reencrypted += pass.reencrypted;
    const outdated = pass.outdated - pass.reencrypted;
    results.push({ nouns: column.nouns, reencrypted, unreadable: pass.unreadable, outdated });
  }
  return results;
}

interface RekeyPass {
  outdated: number;
  reencrypted: number;
  unreadable: number;
}

async function runPass(
  db: Database,
  vault: Vault,
  column: EncryptedColumn,
  nowMs: number,
): Promise<RekeyPass> {
  const pass: RekeyPass = { outdated: 0, reencrypted: 0, unreadable: 0 };
  for await (const row of readEncryptedRows(db, column, nowMs)) {
    const key = vault.matchKey(row.jwe);
    if (key === 'primary') continue;
    const jwe = key === 'secondary' ? await reencrypt(vault, column, row) : undefined;
    if (jwe === undefined) {
      pass.unreadable += 1;
      continue;
    }
    pass.outdated += 1;
    if (await replaceCiphertext(db, column, row, jwe)) pass.reencrypted += 1;
  }
  return pass;
}

/** Encrypts a secret with the first key. Returns undefined if it can't be decrypted. */
async function reencrypt(
  vault: Vault,
  { purpose }: EncryptedColumn,
  { owner, jwe }: EncryptedRow,
): Promise<string | undefined> {
  const context = { purpose, owner };
  try {
    return await vault.encrypt(await vault.decrypt(jwe, context), context);
  } catch (error) {
    if (error instanceof RackhandError) return undefined;
    throw error;
  }
}
