import { createPostgresDatabase } from '../../services/postgres.ts';
import { describeErasure } from './erasure-suite.ts';

describeErasure('PostgreSQL', createPostgresDatabase);
