import { isDatabaseUrl } from '../src/config.ts';
import { migrateStore } from '../src/db/backup/backup.ts';
import { RackhandError } from '../src/errors.ts';
import { runDatabaseTool } from './run-tool.ts';

const usage =
  'npm run migrate-store -- FROM TO, each sqlite:FILE or postgres://USER@HOST/NAME. PGPASSWORD holds the password.';

await runDatabaseTool(usage, 2, async (from = '', to = '') => {
  if (![from, to].every(isDatabaseUrl)) throw new RackhandError('input_invalid', `Usage: ${usage}`);
  const tables = await migrateStore(from, to);
  console.log('Everything was copied and compared. Set DATABASE_URL to the new database.');
  return tables;
});
