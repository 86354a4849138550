import { auditChainSecret, createAuditChain } from '../src/audit/chain/audit-chain.ts';
import { verifyChain } from '../src/audit/chain/verify-chain.ts';
import { readDatabaseConfig } from '../src/config.ts';
import { loadInstanceSecret } from '../src/db/encryption/instance-secret.ts';
import { createVault } from '../src/db/encryption/vault.ts';
import { openDatabase } from '../src/db/engines/database.ts';
import { RackhandError } from '../src/errors.ts';

const usage = `Usage:
  npm run audit -- verify    compares the activity log with its hash chain`;

try {
  if (process.argv[2] !== 'verify') throw new RackhandError('input_invalid', usage);
  const { databaseUrl, encryptionKeys } = readDatabaseConfig(process.env);
  const { db, close } = await openDatabase(databaseUrl);
  const chain = createAuditChain(await loadInstanceSecret(db, createVault(encryptionKeys), auditChainSecret));
  const { heads, problems, unsealed } = await verifyChain(db, chain).finally(close);
  for (const { teamId, seq, hash, erased } of heads) {
    console.log(`${teamId}: ${seq} entries, ${erased} erased on purpose, newest hash ${hash}`);
  }
  if (unsealed > 0)
    console.log(`${unsealed} entries are not sealed yet. A running Rackhand seals every minute.`);
  for (const { teamId, seq, runId, kind } of problems) {
    console.error(`${teamId} entry ${seq ?? '?'} (run ${runId}): ${kind}`);
  }
  console.log(
    problems.length === 0 ? 'No entry was changed, removed or inserted.' : `${problems.length} problems.`,
  );
  if (problems.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof RackhandError ? error.message : error);
  process.exitCode = 1;
}
