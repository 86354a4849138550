import { startPostgres } from '../services/postgres.ts';
import { describeWatchStorage } from './store-suite.ts';

describeWatchStorage('PostgreSQL', startPostgres);
