import { readDatabaseConfig } from '../src/config.ts';
import { backUp } from '../src/db/backup/backup.ts';
import { runDatabaseTool } from './run-tool.ts';

await runDatabaseTool('npm run backup -- FILE', 1, async (file = '') => {
  const tables = await backUp(readDatabaseConfig(process.env).databaseUrl, file);
  console.log(
    `Backed up to ${file}. Keep ENCRYPTION_KEYS too: without them the secrets in it can't be read.`,
  );
  return tables;
});
