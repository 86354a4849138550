import { RackhandError } from '../error.ts';
import type { Database } from './database.ts';
import { type SealedColumn, sealedColumns } from './sealed-columns.ts';
import { replaceSealed, type SealedRow, sealedRows } from './sealed-rows.ts';
import type { Vault } from './vault.ts';

/** What became of the secrets of one column, in numbers. */
export interface Rekeyed extends Pick<SealedColumn, 'nouns'> {
  /** Encrypted anew now. */
  readonly renewed: number;
  /** Left as they are, because none of the keys opens them. */
  readonly unreadable: number;
  /** Not encrypted with the first key even now: something else writes with another one all the time. */
  readonly left: number;
}

/** How often the rows are gone through: what a replica writes meanwhile with the key before is found the next time. */
const mostPasses = 10;

/**
 * Encrypts everything that is kept with the first key, row by row, each in the place of what it read and nothing else: replicas may read and write
 * meanwhile, and whatever stops this, it can be run again.
 */
export async function rekey(
  db: Database,
  vault: Vault,
  now: () => number = Date.now,
): Promise<readonly Rekeyed[]> {
  const results: Rekeyed[] = [];
  for (const column of sealedColumns) {
    let renewed = 0;
    let pass = await goThrough(db, vault, column, now());
    for (let count = 1; pass.touched > 0 && count < mostPasses; count += 1) {
      renewed += pass.renewed;
      pass = await goThrough(db, vault, column, now());
    }
    renewed += pass.renewed;
    const left = pass.touched - pass.renewed;
    results.push({ nouns: column.nouns, renewed, unreadable: pass.unreadable, left });
  }
  return results;
}

interface Pass {
  /** Rows that were not encrypted with the first key, though one of the others opens them. */
  touched: number;
  renewed: number;
  unreadable: number;
}

async function goThrough(db: Database, vault: Vault, column: SealedColumn, nowMs: number): Promise<Pass> {
  const pass: Pass = { touched: 0, renewed: 0, unreadable: 0 };
  for await (const row of sealedRows(db, column, nowMs)) {
    const key = vault.keyOf(row.jwe);
    if (key === 'first') continue;
    const jwe = key === 'other' ? await sealAnew(vault, column, row) : undefined;
    if (jwe === undefined) {
      pass.unreadable += 1;
      continue;
    }
    pass.touched += 1;
    if (await replaceSealed(db, column, row, jwe)) pass.renewed += 1;
  }
  return pass;
}

/** Gives nothing for what cannot be opened: it stays as it is. */
async function sealAnew(
  vault: Vault,
  { purpose }: SealedColumn,
  { key, jwe }: SealedRow,
): Promise<string | undefined> {
  const use = { purpose, owner: key };
  try {
    return await vault.seal(await vault.open(jwe, use), use);
  } catch (error) {
    if (error instanceof RackhandError) return undefined;
    throw error;
  }
}
