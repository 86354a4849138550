import { describeWatchStorage } from './store-suite.ts';

describeWatchStorage('SQLite', async () => ({ url: 'sqlite::memory:', stop: async () => {} }));
