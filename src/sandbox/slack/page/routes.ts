import { readFile } from 'node:fs/promises';
import type { Context, Hono } from 'hono';

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The page runs its own scripts only, and talks to the sandbox only; pictures may come from anywhere, as in Slack. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' http: https: data:";

/** Serves the workspace's page at `/` and its files under `/page/`. */
export function mountPage(app: Hono): void {
  app.get('/', (context) => answerFile(context, 'index.html'));
  app.get('/page/:file{[a-z-]+\\.css}', (context) => answerFile(context, context.req.param('file')));
  app.get('/page/client/:file{[a-z-]+\\.js}', (context) =>
    answerFile(context, `client/${context.req.param('file')}`),
  );
}

async function answerFile(context: Context, path: string): Promise<Response> {
  const content = await readFile(new URL(path, import.meta.url)).catch(() => undefined);
  if (!content) return context.notFound();
  const extension = path.slice(path.lastIndexOf('.') + 1);
  return context.body(new Uint8Array(content), 200, {
    'content-type': contentTypes[extension] ?? 'application/octet-stream',
    'content-security-policy': contentSecurityPolicy,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
}
