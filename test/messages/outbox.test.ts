import { startSqlite } from '../db/test-database.ts';
import { describeOutbox } from './outbox-suite.ts';

describeOutbox('SQLite', startSqlite);
