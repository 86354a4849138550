import { createPostgresDatabase } from '../../services/postgres.ts';
import { describeVpsAliases } from './vps-alias-suite.ts';

describeVpsAliases('PostgreSQL', createPostgresDatabase);
