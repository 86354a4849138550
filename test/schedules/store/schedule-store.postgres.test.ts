import { createPostgresDatabase } from '../../services/postgres.ts';
import { describeScheduleStore } from './schedule-store-suite.ts';

describeScheduleStore('PostgreSQL', createPostgresDatabase);
