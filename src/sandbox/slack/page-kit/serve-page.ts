import type { Context, Env, Hono } from 'hono';
import { html } from 'hono/html';
import { bundleClient } from './bundle.ts';
import { readStyles } from './styles.ts';

/** A page of a sandbox: a folder with styles, and with a `client` that draws into the element `root`. */
export interface Page {
  readonly title: string;
  readonly folder: URL;
  /** Where its pictures may come from, as a content security policy names it. */
  readonly pictures: string;
}

/** Serves a page at `/`, and its script and styles under `/page/`. The script is made when first asked for. */
export function servePage<E extends Env>(app: Hono<E>, { title, folder, pictures }: Page): void {
  // It runs its own scripts only, and talks to the sandbox only.
  const contentSecurityPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src ${pictures}; base-uri 'none'; form-action 'none'`;

  function answer(c: Context, type: string, content: string): Response {
    return c.body(content, 200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  }

  let client: Promise<string> | undefined;
  const script = () => {
    client ??= bundleClient(folder).catch((error: unknown) => {
      // One that failed is tried again.
      client = undefined;
      throw error;
    });
    return client;
  };
  app.get('/', async (c) => answer(c, 'text/html', `${await documentOf(title)}`));
  app.get('/page/page.css', async (c) => answer(c, 'text/css', await readStyles(folder)));
  app.get('/page/client.js', async (c) => answer(c, 'text/javascript', await script()));
}

function documentOf(title: string) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/page/page.css">
    <script type="module" src="/page/client.js"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript>This page needs JavaScript.</noscript>
  </body>
</html>
`;
}
