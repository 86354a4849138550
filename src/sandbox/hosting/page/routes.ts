import { readFile } from 'node:fs/promises';
import type { Hono } from 'hono';
import type { ServiceEnv } from '../service.ts';
import { bundleClient } from './bundle.ts';

/** The page runs its own script only and talks to the service only. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'";

function headersFor(type: string) {
  return {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': contentSecurityPolicy,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  };
}

/** Serves the service's own page at `/`, with its script, which is bundled when it is first asked for, and its styles. */
export function mountPage(app: Hono<ServiceEnv>): void {
  let client: Promise<string> | undefined;
  const read = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');

  app.get('/', async (context) => context.body(await read('index.html'), 200, headersFor('text/html')));
  app.get('/page/page.css', async (context) =>
    context.body(await read('page.css'), 200, headersFor('text/css')),
  );
  app.get('/page/client.js', async (context) => {
    client ??= bundleClient();
    return context.body(await client, 200, headersFor('text/javascript'));
  });
}
