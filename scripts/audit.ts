import { auditChainSecret, createAuditChain } from '../src/audit/chain/audit-chain.ts';
import { verifyChain } from '../src/audit/chain/verify-chain.ts';
import { loadInstanceSecret } from '../src/db/encryption/instance-secret.ts';
import { RackhandError } from '../src/errors.ts';
import { runTool, withStoredDatabase } from './run-tool.ts';

const usage = `Usage:
  npm run audit -- verify    compares the activity log with its hash chain`;

await runTool(usage, async () => {
  if (process.argv[2] !== 'verify') throw new RackhandError('input_invalid', usage);
  return withStoredDatabase(async ({ db }, vault) => {
    const chain = createAuditChain(await loadInstanceSecret(db, vault, auditChainSecret));
    const { heads, problems, unsealed } = await verifyChain(db, chain);
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
  });
});
