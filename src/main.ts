import { enableCompileCache } from 'node:module';

// From the second start on, neither the types are stripped nor the libraries compiled again.
enableCompileCache();
const { start } = await import('./start.ts');
await start(process.env);
