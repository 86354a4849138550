import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';

/** How often a listener hears something, so that a lost connection shows. */
const heartbeatMs = 15_000;

/** Answers with server-sent events: `begin` gets a way to say one, and answers how to stop. Each is a JSON object. */
export function answerEvents(c: Context, begin: (say: (event: object) => void) => () => void): Response {
  return streamSSE(c, async (stream) => {
    const say = (event: object) => void stream.writeSSE({ data: JSON.stringify(event) });
    const stop = begin(say);
    const heartbeat = setInterval(() => say({ kind: 'alive' }), heartbeatMs);
    await new Promise<void>((resolve) => stream.onAbort(resolve));
    clearInterval(heartbeat);
    stop();
  });
}
