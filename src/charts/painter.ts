import { enableCompileCache, flushCompileCache } from 'node:module';
import type { Order, Result } from './painter-process.ts';

// The program of the child process that draws. Its parent sends one order at a time; when the parent is gone, it goes.
process.on('disconnect', () => process.exit());
if (!process.connected) process.exit();

enableCompileCache();
const picture = import('./picture.ts');

process.on('message', async ({ spec }: Order) => {
  process.send?.(await carryOut(spec));
  // The process is killed when it is no longer needed: what was compiled is kept now or never.
  flushCompileCache();
});

async function carryOut(spec: Order['spec']): Promise<Result> {
  try {
    const { drawPicture } = await picture;
    return { picture: drawPicture(spec) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
