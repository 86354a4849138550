import { startPostgres } from '../../services/postgres.ts';
import { describeRecord } from './record-suite.ts';

describeRecord('PostgreSQL', startPostgres);
