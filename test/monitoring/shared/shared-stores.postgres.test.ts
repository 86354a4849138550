import { createPostgresDatabase } from '../../services/postgres.ts';
import { describeSharedStores } from './shared-stores-suite.ts';

describeSharedStores('PostgreSQL', createPostgresDatabase);
