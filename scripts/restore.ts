import { readDatabaseConfig } from '../src/config.ts';
import { restore } from '../src/db/backup/backup.ts';
import { runDatabaseTool } from './run-tool.ts';

await runDatabaseTool('npm run restore -- FILE', 1, async (file = '') => {
  const tables = await restore(file, readDatabaseConfig(process.env).databaseUrl);
  console.log(`Restored ${file} to the database at DATABASE_URL.`);
  return tables;
});
