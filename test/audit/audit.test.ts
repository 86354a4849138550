import { startSqlite } from '../db/test-database.ts';
import { describeAudit } from './audit-suite.ts';

describeAudit('SQLite', startSqlite);
