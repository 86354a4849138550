import { startSqlite } from '../db/test-database.ts';
import { describeJobs } from './jobs-suite.ts';

describeJobs('SQLite', startSqlite);
