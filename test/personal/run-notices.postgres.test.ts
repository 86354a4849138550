import { createPostgresDatabase } from '../services/postgres.ts';
import { describeRunNotices } from './run-notices-suite.ts';

describeRunNotices('PostgreSQL', createPostgresDatabase);
