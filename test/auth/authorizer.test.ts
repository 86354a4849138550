import { startSqlite } from '../db/test-database.ts';
import { describeAuthorizer } from './authorizer-suite.ts';

describeAuthorizer('SQLite', startSqlite);
