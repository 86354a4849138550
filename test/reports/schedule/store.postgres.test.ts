import { startPostgres } from '../../services/postgres.ts';
import { describeReportStorage } from './store-suite.ts';

describeReportStorage('PostgreSQL', startPostgres);
