import { enableCompileCache } from 'node:module';

// Later starts reuse the stripped and compiled code.
enableCompileCache();
const { start } = await import('./start.ts');
await start(process.env);
