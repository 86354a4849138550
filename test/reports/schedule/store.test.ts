import { describeReportStorage } from './store-suite.ts';

describeReportStorage('SQLite', async () => ({ url: 'sqlite::memory:', stop: async () => {} }));
