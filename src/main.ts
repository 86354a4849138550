import { enableCompileCache, flushCompileCache } from 'node:module';

// Later starts reuse the stripped and compiled code.
enableCompileCache();
const { start } = await import('./start.ts');
await start(process.env);
// Node.js would write the cache when the process ends, but not if it is killed.
flushCompileCache();
