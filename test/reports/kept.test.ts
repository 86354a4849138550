import { startSqlite } from '../storage/stage-database.ts';
import { describeKept } from './kept-suite.ts';

describeKept('SQLite', startSqlite);
