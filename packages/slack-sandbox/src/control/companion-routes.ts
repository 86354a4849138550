import { Hono } from 'hono';
import type { Companion } from './companion.ts';

/**
 * Forwards requests below `/sandbox/companion/` to the companion's control API, so that the page
 * needs no other origin. Describes the companion at `/sandbox/companion`.
 */
export function companionRoutes(companion: Companion | undefined): Hono {
  return new Hono()
    .get('/companion', (c) => c.json({ companion: companion ?? null }))
    .all('/companion/:rest{.+}', async (c) => {
      if (!companion) return c.json({ error: 'This workspace runs without a companion service' }, 404);
      const { method, raw } = c.req;
      const url = new URL(`${companion.url}/sandbox/${c.req.param('rest')}${new URL(c.req.url).search}`);
      if (!url.pathname.startsWith('/sandbox/'))
        return c.json({ error: 'Only the control API can be reached' }, 404);
      const hasBody = method !== 'GET' && method !== 'HEAD';
      try {
        const answer = await fetch(url, {
          method,
          signal: raw.signal,
          headers: { 'content-type': 'application/json' },
          ...(hasBody && { body: await c.req.text() }),
        });
        const type = answer.headers.get('content-type') ?? 'application/json';
        const body = answer.body && ReadableStream.from(endOnError(answer.body));
        return new Response(body, { status: answer.status, headers: { 'content-type': type } });
      } catch {
        return c.json({ error: `${companion.name} does not answer at ${companion.url}` }, 502);
      }
    });
}

/**
 * Yields a stream, and ends without an error if the stream breaks. An event stream breaks when its
 * listener or the companion disconnects.
 */
async function* endOnError(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch {
    return;
  }
}
