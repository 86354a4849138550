import { parseArgs } from 'node:util';
import { auditChainSecret, createAuditChain } from '../src/audit/chain/audit-chain.ts';
import { loadInstanceSecret } from '../src/db/encryption/instance-secret.ts';
import { RackhandError } from '../src/errors.ts';
import type { TableCount } from '../src/workspaces/erasure/delete-rows.ts';
import { forgetPerson, forgetWorkspace } from '../src/workspaces/erasure/forget.ts';
import { runTool, withStoredDatabase } from './run-tool.ts';

const usage = `Usage:
  npm run forget -- --workspace T…              everything about a workspace
  npm run forget -- --person U…                 everything about a person
  npm run forget -- --person U… --workspace T…  everything about a person in one workspace`;

await runTool(usage, async () => {
  const { workspace, person } = parseArgs({
    options: { workspace: { type: 'string' }, person: { type: 'string' } },
  }).values;
  const ids = [workspace, person].filter((id) => id !== undefined);
  if (ids.length === 0 || !ids.every((id) => /^[A-Z][A-Z0-9]{2,}$/.test(id))) {
    throw new RackhandError('input_invalid', usage);
  }
  await withStoredDatabase(async ({ db }, vault) => {
    const chain = createAuditChain(await loadInstanceSecret(db, vault, auditChainSecret));
    const report = await (person === undefined
      ? forgetWorkspace(db, workspace ?? '')
      : forgetPerson(db, chain, person, workspace));
    printCounts('Deleted rows', report.deleted);
    printCounts('Rows of others in which the ID was replaced', report.replaced);
    printCounts('Rows in which a search still finds the ID', report.remaining);
    if (report.remaining.length > 0) process.exitCode = 1;
  });
});

function printCounts(heading: string, counts: readonly TableCount[]): void {
  console.log(`${heading}: ${counts.length === 0 ? 'none' : ''}`.trim());
  for (const { table, rows } of counts) console.log(`  ${table}: ${rows}`);
}
