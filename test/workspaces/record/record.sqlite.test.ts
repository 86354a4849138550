import { describeRecord } from './record-suite.ts';

describeRecord('SQLite', async () => ({ url: 'sqlite::memory:', stop: async () => undefined }));
