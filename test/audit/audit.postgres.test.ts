import { createPostgresDatabase } from '../services/postgres.ts';
import { describeAudit } from './audit-suite.ts';

describeAudit('PostgreSQL', createPostgresDatabase);
