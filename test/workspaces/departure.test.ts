import { describeDeparture } from './departure-suite.ts';

describeDeparture('SQLite', async () => ({ url: 'sqlite::memory:', stop: async () => undefined }));
