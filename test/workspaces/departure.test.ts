import { startSqlite } from '../storage/stage-database.ts';
import { describeDeparture } from './departure-suite.ts';

describeDeparture('SQLite', startSqlite);
