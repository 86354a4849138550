import { readFile } from 'node:fs/promises';
import type { Context, Hono } from 'hono';
import { bundleClient } from './bundle.ts';
import { readStyles } from './styles.ts';

/** The page runs its own scripts only, and talks to the sandbox only; pictures may come from anywhere, as in Slack. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' http: https: data:";

/** Serves the workspace's page at `/`, and its script and styles under `/page/`. The script is made when first asked for. */
export function mountPage(app: Hono): void {
  let client: Promise<string> | undefined;
  const script = () => {
    client ??= bundleClient();
    // One that failed is tried again.
    client.catch(() => {
      client = undefined;
    });
    return client;
  };
  app.get('/', async (c) =>
    answer(c, 'text/html', await readFile(new URL('index.html', import.meta.url), 'utf8')),
  );
  app.get('/page/page.css', async (c) => answer(c, 'text/css', await readStyles()));
  app.get('/page/client.js', async (c) => answer(c, 'text/javascript', await script()));
}

function answer(c: Context, type: string, content: string): Response {
  return c.body(content, 200, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': contentSecurityPolicy,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
}
