import { describeRights } from './rights-suite.ts';

describeRights('SQLite', async () => ({ url: 'sqlite::memory:', stop: async () => undefined }));
