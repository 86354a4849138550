import { createPostgresDatabase } from '../../services/postgres.ts';
import { describeServiceProfile } from './service-profile-suite.ts';

describeServiceProfile('PostgreSQL', createPostgresDatabase);
