import { enableCompileCache, flushCompileCache } from 'node:module';
import type { RenderRequest, RenderResult } from './renderer-process.ts';

// The child process that draws charts. Its parent sends one request at a time. The process exits
// with its parent.
process.on('disconnect', () => process.exit());
if (!process.connected) process.exit();

enableCompileCache();
const rendererModule = import('./drawing/render-image.ts');

process.on('message', async ({ spec }: RenderRequest) => {
  process.send?.(await handleRequest(spec));
  // Writes the compile cache now, because the process will be killed instead of exiting.
  flushCompileCache();
});

async function handleRequest(spec: RenderRequest['spec']): Promise<RenderResult> {
  try {
    const { renderImage } = await rendererModule;
    return { kind: 'image', image: renderImage(spec) };
  } catch (error) {
    return { kind: 'error', error: error instanceof Error ? error.message : String(error) };
  }
}
