import { startPostgres } from '../../services/postgres.ts';
import { describeRights } from './rights-suite.ts';

describeRights('PostgreSQL', startPostgres);
