import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Core } from '../core.ts';
import { readStyles } from '../page-kit/styles.ts';
import { installersOf, readRequest, Unaskable } from './consent.ts';
import { consentPage, unaskablePage } from './page.ts';

/** Nothing but the page's own style is loaded, and nothing frames it. */
const contentSecurityPolicy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

/** Serves the pages on which people install the app: Slack's side of OAuth. */
export function oauthRoutes(core: Core): Hono {
  const routes = new Hono();
  routes.use('/oauth/*', setHeaders);
  routes.get('/oauth/v2/authorize', (c) => {
    const request = readRequest(core, c.req.query());
    return c.html(consentPage(core, request, installersOf(core), c.req.query('team')));
  });
  routes.post('/oauth/v2/authorize', async (c) => {
    // Any page that a browser on this machine shows could consent here otherwise.
    if (c.req.header('sec-fetch-site') === 'cross-site') return c.text('Refused for other sites', 403);
    const request = readRequest(core, c.req.query());
    const { decision, installer } = await c.req.parseBody();
    const chosen = installersOf(core).find(({ value }) => value === installer);
    if (decision === 'allow' && !chosen) return c.html(unaskablePage('Nobody there can install apps.'), 400);
    if (decision === 'allow' && chosen) {
      const { scopes, redirectUri } = request;
      const grant = { place: chosen.place.id, user: chosen.userId, scopes, redirectUri };
      return sendBack(c, request.returnTo, 'code', core.grants.create(grant));
    }
    return sendBack(c, request.returnTo, 'error', 'access_denied');
  });
  routes.get('/oauth/v2/page.css', async (c) => {
    const css = await readStyles(new URL('.', import.meta.url));
    return c.body(css, 200, { 'content-type': 'text/css; charset=utf-8' });
  });
  // Leads into Slack from elsewhere: docs.slack.dev/interactivity/deep-linking.
  routes.get('/app_redirect', (c) =>
    c.redirect(`/#${core.workspace(c.req.query('team') ?? '')?.team.id ?? ''}`),
  );
  routes.onError((error, c) => {
    if (error instanceof Unaskable) return c.html(unaskablePage(error.message), 400);
    throw error;
  });
  return routes;
}

function sendBack(c: Context, returnTo: URL, name: 'code' | 'error', value: string): Response {
  const target = new URL(returnTo);
  target.searchParams.set(name, value);
  return c.redirect(target.href, 303);
}

const setHeaders = createMiddleware(async (c, next) => {
  await next();
  c.header('content-security-policy', contentSecurityPolicy);
  c.header('x-content-type-options', 'nosniff');
  c.header('cache-control', 'no-store');
});
