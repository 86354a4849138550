import { createPostgresDatabase } from '../services/postgres.ts';
import { describeJobs } from './jobs-suite.ts';

describeJobs('PostgreSQL', createPostgresDatabase);
