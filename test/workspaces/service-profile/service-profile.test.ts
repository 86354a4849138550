import { startSqlite } from '../../db/test-database.ts';
import { describeServiceProfile } from './service-profile-suite.ts';

describeServiceProfile('SQLite', startSqlite);
