import { parseArgs } from 'node:util';
import { readDatabaseConfig } from '../src/config.ts';
import { type Database, openDatabase } from '../src/db/engines/database.ts';
import { RackhandError } from '../src/errors.ts';
import { listWorkspaces } from '../src/workspaces/list-workspaces.ts';
import { createSuspensions } from '../src/workspaces/suspensions.ts';

const usage = `Usage:
  npm run workspaces -- list
  npm run workspaces -- suspend --workspace T… --reason "…"
  npm run workspaces -- resume --workspace T…`;

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { workspace: { type: 'string' }, reason: { type: 'string' } },
  });
  const { db, close } = await openDatabase(readDatabaseConfig(process.env).databaseUrl);
  await run(db, positionals[0], values).finally(close);
} catch (error) {
  console.error(error instanceof RackhandError ? error.message : error);
  process.exitCode = 1;
}

async function run(
  db: Database,
  command: string | undefined,
  { workspace = '', reason = 'no reason given' }: { workspace?: string; reason?: string },
): Promise<void> {
  if (command === 'list') return printList(db);
  if (!/^[TE][A-Z0-9]{2,}$/.test(workspace)) throw new RackhandError('input_invalid', usage);
  const suspensions = createSuspensions(db);
  if (command === 'suspend') {
    await suspensions.suspend(workspace, reason);
    console.log(
      `${workspace} is suspended. Processes that share a PostgreSQL database notice within 5 seconds.`,
    );
  } else if (command === 'resume') {
    const wasSuspended = await suspensions.resume(workspace);
    console.log(wasSuspended ? `${workspace} can use Rackhand again.` : `${workspace} wasn't suspended.`);
  } else {
    throw new RackhandError('input_invalid', usage);
  }
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
