import { startPostgres } from '../services/postgres.ts';
import { describeKeys } from './keys-suite.ts';

describeKeys('PostgreSQL', startPostgres);
