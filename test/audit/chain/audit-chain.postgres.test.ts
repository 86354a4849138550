import { createPostgresDatabase } from '../../services/postgres.ts';
import { describeAuditChain } from './audit-chain-suite.ts';

describeAuditChain('PostgreSQL', createPostgresDatabase);
