import { startSqlite } from '../../storage/stage-database.ts';
import { describeRights } from './rights-suite.ts';

describeRights('SQLite', startSqlite);
