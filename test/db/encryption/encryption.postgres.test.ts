import { createPostgresDatabase } from '../../services/postgres.ts';
import { describeEncryption } from './encryption-suite.ts';

describeEncryption('PostgreSQL', createPostgresDatabase);
