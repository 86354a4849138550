import { startSqlite } from '../../../db/test-database.ts';
import { describeReportStorage } from './store-suite.ts';

describeReportStorage('SQLite', startSqlite);
