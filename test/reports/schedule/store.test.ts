import { startSqlite } from '../../storage/stage-database.ts';
import { describeReportStorage } from './store-suite.ts';

describeReportStorage('SQLite', startSqlite);
