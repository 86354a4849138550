import { createPostgresDatabase } from '../services/postgres.ts';
import { describeAuthorizer } from './authorizer-suite.ts';

describeAuthorizer('PostgreSQL', createPostgresDatabase);
