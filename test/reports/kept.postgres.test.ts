import { startPostgres } from '../services/postgres.ts';
import { describeKept } from './kept-suite.ts';

describeKept('PostgreSQL', startPostgres);
