import { createPostgresDatabase } from '../services/postgres.ts';
import { describeOutbox } from './outbox-suite.ts';

describeOutbox('PostgreSQL', createPostgresDatabase);
