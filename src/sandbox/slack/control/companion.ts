import { Hono } from 'hono';

/** Another service of this machine that is tried together with the workspace, with a control API under `/sandbox` too. */
export interface Companion {
  readonly name: string;
  /** Without a slash at the end. */
  readonly url: string;
}

/**
 * Serves the companion's control API under `/sandbox/companion/`, so that the page reaches it without speaking to
 * another origin, and tells of it at `/sandbox/companion`.
 */
export function companionRoutes(companion: Companion | undefined): Hono {
  return new Hono()
    .get('/companion', (c) => c.json({ companion: companion ?? null }))
    .all('/companion/:rest{.+}', async (c) => {
      if (!companion) return c.json({ error: 'Nothing stands beside this workspace' }, 404);
      const { method, raw } = c.req;
      const url = new URL(`${companion.url}/sandbox/${c.req.param('rest')}${new URL(c.req.url).search}`);
      if (!url.pathname.startsWith('/sandbox/'))
        return c.json({ error: 'Only the control API is reached' }, 404);
      const hasBody = method !== 'GET' && method !== 'HEAD';
      try {
        const answer = await fetch(url, {
          method,
          signal: raw.signal,
          headers: { 'content-type': 'application/json' },
          ...(hasBody && { body: await c.req.text() }),
        });
        const type = answer.headers.get('content-type') ?? 'application/json';
        const body = answer.body && ReadableStream.from(whileItLasts(answer.body));
        return new Response(body, { status: answer.status, headers: { 'content-type': type } });
      } catch {
        return c.json({ error: `${companion.name} does not answer at ${companion.url}` }, 502);
      }
    });
}

/** Ends a stream that breaks, as one of events does when its listener or the companion goes. */
async function* whileItLasts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch {
    return;
  }
}
