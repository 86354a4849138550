import { readFile } from 'node:fs/promises';
import type { Context, Env, Hono } from 'hono';
import { html } from 'hono/html';
import { bundleClient } from './bundle-client.ts';
import { emojiFontFile } from './emoji-font-file.ts';
import { readStyles } from './read-styles.ts';

/** A page of the sandbox. Its folder contains styles and a `client` that renders into the element `root`. */
export interface PageOptions {
  readonly title: string;
  readonly folder: URL;
  /** From where images can be loaded, in the syntax of a content security policy. */
  readonly imageSources: string;
}

/**
 * Serves a page at `/`, and its script and styles below `/page/`. The script is built on the first
 * request, once for all sandboxes of this process.
 */
export function servePage<E extends Env>(app: Hono<E>, { title, folder, imageSources }: PageOptions): void {
  // The page can run only its own scripts and connect only to the sandbox.
  const contentSecurityPolicy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; img-src ${imageSources}; base-uri 'none'; form-action 'none'`;

  function answer(c: Context, type: string, content: string): Response {
    return c.body(content, 200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': contentSecurityPolicy,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    });
  }

  app.get('/', async (c) => answer(c, 'text/html', `${await renderDocument(title)}`));
  app.get('/page/page.css', async (c) => answer(c, 'text/css', await readStyles(folder)));
  app.get('/page/emoji.woff2', async (c) => {
    if (emojiFontFile === undefined) return c.body(null, 404);
    return c.body(new Uint8Array(await readFile(emojiFontFile)), 200, {
      'content-type': 'font/woff2',
      'cache-control': 'max-age=86400',
    });
  });
  app.get('/page/client.js', async (c) => answer(c, 'text/javascript', await bundleOnce(folder)));
}

/** The scripts that were built, by folder. */
const bundles = new Map<string, Promise<string>>();

function bundleOnce(folder: URL): Promise<string> {
  const known = bundles.get(folder.href);
  if (known) return known;
  const bundle = bundleClient(folder);
  bundles.set(folder.href, bundle);
  // After a failed build, the next request tries again.
  bundle.catch(() => bundles.delete(folder.href));
  return bundle;
}

function renderDocument(title: string) {
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
