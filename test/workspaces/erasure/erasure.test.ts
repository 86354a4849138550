import { startSqlite } from '../../db/test-database.ts';
import { describeErasure } from './erasure-suite.ts';

describeErasure('SQLite', startSqlite);
