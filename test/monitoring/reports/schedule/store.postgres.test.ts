import { createPostgresDatabase } from '../../../services/postgres.ts';
import { describeReportStorage } from './store-suite.ts';

describeReportStorage('PostgreSQL', createPostgresDatabase);
