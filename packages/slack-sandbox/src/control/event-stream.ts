import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';

/** How often an idle stream sends a heartbeat, which reveals a lost connection. */
const heartbeatMs = 15_000;

/**
 * Responds with server-sent events, each of which is a JSON object. `start` is called with a
 * function that sends an event, and returns a function that stops the stream.
 */
export function streamEvents(c: Context, start: (send: (event: object) => void) => () => void): Response {
  return streamSSE(c, async (stream) => {
    const send = (event: object) => void stream.writeSSE({ data: JSON.stringify(event) });
    const stop = start(send);
    const heartbeat = setInterval(() => send({ kind: 'alive' }), heartbeatMs);
    await new Promise<void>((resolve) => stream.onAbort(resolve));
    clearInterval(heartbeat);
    stop();
  });
}
