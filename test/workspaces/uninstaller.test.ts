import { startSqlite } from '../db/test-database.ts';
import { describeUninstaller } from './uninstaller-suite.ts';

describeUninstaller('SQLite', startSqlite);
