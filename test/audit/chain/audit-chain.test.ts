import { startSqlite } from '../../db/test-database.ts';
import { describeAuditChain } from './audit-chain-suite.ts';

describeAuditChain('SQLite', startSqlite);
