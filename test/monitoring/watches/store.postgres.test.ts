import { createPostgresDatabase } from '../../services/postgres.ts';
import { describeWatchStorage } from './store-suite.ts';

describeWatchStorage('PostgreSQL', createPostgresDatabase);
