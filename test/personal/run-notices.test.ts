import { startSqlite } from '../db/test-database.ts';
import { describeRunNotices } from './run-notices-suite.ts';

describeRunNotices('SQLite', startSqlite);
