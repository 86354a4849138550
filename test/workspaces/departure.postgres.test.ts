import { startPostgres } from '../services/postgres.ts';
import { describeDeparture } from './departure-suite.ts';

describeDeparture('PostgreSQL', startPostgres);
