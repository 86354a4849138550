import { startSqlite } from '../../db/test-database.ts';
import { describeScheduleStore } from './schedule-store-suite.ts';

describeScheduleStore('SQLite', startSqlite);
