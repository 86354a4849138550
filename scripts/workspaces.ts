import { parseArgs } from 'node:util';
import type { Database } from '../src/db/engines/database.ts';
import { RackhandError } from '../src/errors.ts';
import { listWorkspaces } from '../src/workspaces/list-workspaces.ts';
import { createSuspensions } from '../src/workspaces/suspensions.ts';
import { runTool, withStoredDatabase } from './run-tool.ts';

const usage = `Usage:
  npm run workspaces -- list
  npm run workspaces -- suspend --workspace T… --reason "…"
  npm run workspaces -- resume --workspace T…`;

await runTool(usage, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { workspace: { type: 'string' }, reason: { type: 'string' } },
  });
  const run = chooseCommand(positionals, values);
  await withStoredDatabase(({ db }) => run(db));
});

function chooseCommand(
  [command, ...rest]: readonly string[],
  { workspace = '', reason = 'no reason given' }: { workspace?: string; reason?: string },
): (db: Database) => Promise<void> {
  if (rest.length > 0) throw new RackhandError('input_invalid', usage);
  if (command === 'list') return printList;
  if (!/^[TE][A-Z0-9]{2,}$/.test(workspace)) throw new RackhandError('input_invalid', usage);
  if (command === 'suspend')
    return async (db) => {
      await createSuspensions(db).suspend(workspace, reason);
      console.log(
        `${workspace} is suspended. Processes that share a PostgreSQL database notice within 5 seconds.`,
      );
    };
  if (command === 'resume')
    return async (db) => {
      const wasSuspended = await createSuspensions(db).resume(workspace);
      console.log(wasSuspended ? `${workspace} can use Rackhand again.` : `${workspace} wasn't suspended.`);
    };
  throw new RackhandError('input_invalid', usage);
}

async function printList(db: Database): Promise<void> {
  const workspaces = await listWorkspaces(db);
  console.table(
    workspaces.map((one) => ({
      ID: one.teamId,
      name: one.teamName,
      organization: one.enterpriseId ?? '',
      installed: new Date(one.installedMs).toISOString().slice(0, 10),
      'API key': one.hasApiKey ? 'yes' : 'no',
      'last run': one.lastRunMs === null ? '' : new Date(one.lastRunMs).toISOString().slice(0, 16),
      suspended: one.suspendedReason ?? '',
    })),
  );
}
