import { startSqlite } from '../../db/test-database.ts';
import { describeVpsAliases } from './vps-alias-suite.ts';

describeVpsAliases('SQLite', startSqlite);
