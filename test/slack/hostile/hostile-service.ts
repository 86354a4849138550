import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Distort } from './distortions.ts';

const success = z.object({ success: z.literal(true), data: z.unknown() });
const address = z.object({ port: z.number() });

/** A hosting service that keeps the API's routes and envelope but sends anything in them. */
export interface HostileService {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a service that forwards calls to another service and changes its responses, including errors. */
export async function startHostileService(honestUrl: string, distort: Distort): Promise<HostileService> {
  const app = new Hono();
  app.all('/v1/*', (c) => answer(c.req.raw));
  app.all('/v1', (c) => answer(c.req.raw));
  // At the end of a test, the other service can be gone before it responds.
  app.onError(() => Response.json({ success: false }, { status: 502 }));

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = method === 'GET' ? '' : await request.text();
    const honest = await fetch(`${honestUrl}${pathname}${search}`, {
      method,
      headers: { authorization: headers.get('authorization') ?? '', 'content-type': 'application/json' },
      ...(body && { body }),
    });
    return Response.json(distorted(await honest.json(), pathname), { status: honest.status });
  }

  function distorted(json: unknown, path: string): unknown {
    const { success: succeeded, data } = success.safeParse(json);
    if (!succeeded) return distort.error(json);
    // The fields of the status stay, because they are checked before anything else is read.
    return { success: true, data: path === '/v1' ? distort.extend(data.data) : distort.transform(data.data) };
  }

  const server = createAdaptorServer({ fetch: app.fetch });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${address.parse(server.address()).port}`,
    async close() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
