import { startSqlite } from '../../storage/stage-database.ts';
import { describeRecord } from './record-suite.ts';

describeRecord('SQLite', startSqlite);
