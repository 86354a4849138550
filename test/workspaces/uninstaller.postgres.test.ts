import { createPostgresDatabase } from '../services/postgres.ts';
import { describeUninstaller } from './uninstaller-suite.ts';

describeUninstaller('PostgreSQL', createPostgresDatabase);
