import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

const srcUrl = new URL('../src/', import.meta.url).href;
const transportUrl = new URL('../src/hosting/client/transport.ts', import.meta.url);

/**
 * Makes a change and returns the files through which it was handed on, from the delivery by Slack
 * to the bytes of the call. A file is listed again when a call returns to it.
 */
export async function traceHandOvers(makeChange: () => Promise<unknown>): Promise<readonly string[]> {
  const line = readFileSync(transportUrl, 'utf8')
    .split('\n')
    .findIndex((text) => text.includes('.request({'));
  const worker = new Worker(new URL('hand-overs-worker.ts', import.meta.url), {
    workerData: { srcUrl, url: transportUrl.href, line },
  });
  const { promise: ready, resolve: reportReady } = Promise.withResolvers<void>();
  const { promise: traced, resolve: reportTrace } = Promise.withResolvers<readonly string[]>();
  worker.on('message', (message: unknown) => {
    if (message === 'ready') reportReady();
    else reportTrace(z.array(z.string()).parse(message));
  });
  await ready;
  await makeChange();
  const files = await traced;
  worker.postMessage('done');
  return files.filter((file, index) => file !== files[index - 1]).reverse();
}
