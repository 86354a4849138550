import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

// Debugs the main thread. Pauses it where a change is about to leave, and posts the files of the
// functions that led there, from the last to the first. Follows promises and timers.

const { srcUrl, url, line } = z
  .object({ srcUrl: z.string(), url: z.string(), line: z.number() })
  .parse(workerData);

const session = new Session();
session.connectToMainThread();
const scriptUrls = new Map<string, string>();
session.on('Debugger.scriptParsed', ({ params }) => void scriptUrls.set(params.scriptId, params.url));
session.on('Debugger.paused', ({ params: { callFrames, asyncStackTrace } }) => {
  const urls = callFrames.map(({ location }) => scriptUrls.get(location.scriptId) ?? '');
  for (let trace = asyncStackTrace; trace; trace = trace.parent)
    urls.push(...trace.callFrames.map((frame) => frame.url));
  const files = urls.filter((one) => one.startsWith(srcUrl)).map((one) => one.slice(srcUrl.length));
  session.post('Debugger.resume');
  parentPort?.postMessage(files);
});
session.post('Debugger.enable');
session.post('Debugger.setAsyncCallStackDepth', { maxDepth: 200 });
session.post(
  'Debugger.setBreakpointByUrl',
  { url, lineNumber: line, condition: "method !== 'GET'" },
  (error) => parentPort?.postMessage(error ? error.message : 'ready'),
);
// Keeps the worker alive until the first message.
parentPort?.once('message', () => session.disconnect());
