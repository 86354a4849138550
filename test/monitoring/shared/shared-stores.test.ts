import { startSqlite } from '../../db/test-database.ts';
import { describeSharedStores } from './shared-stores-suite.ts';

describeSharedStores('SQLite', startSqlite);
