import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { findAppOfClient } from '../apps/find-app.ts';
import type { Core } from '../core.ts';
import { installPageFolder } from '../page-folders.ts';
import { readStyles } from '../page-kit/read-styles.ts';
import { renderConsentPage, renderErrorPage } from './consent-page.ts';
import { InvalidConsentRequestError, listInstallers, parseConsentRequest } from './consent-request.ts';

/** The page can load only its own styles and can't be framed. */
const contentSecurityPolicy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

/** Serves Slack's part of OAuth: the install pages. */
export function oauthRoutes(core: Core): Hono {
  const routes = new Hono();
  routes.use('/oauth/*', setHeaders);
  const findRequestingApp = (c: Context) => findAppOfClient(core.apps(), c.req.query('client_id')) ?? core;
  routes.get('/oauth/v2/authorize', (c) => {
    const app = findRequestingApp(c);
    const request = parseConsentRequest(app, c.req.query());
    return c.html(renderConsentPage(app, request, listInstallers(app), c.req.query('team')));
  });
  routes.post('/oauth/v2/authorize', async (c) => {
    const app = findRequestingApp(c);
    const request = parseConsentRequest(app, c.req.query());
    const { decision, installer } = await c.req.parseBody();
    const chosen = listInstallers(app).find(({ value }) => value === installer);
    if (decision === 'allow' && !chosen)
      return c.html(renderErrorPage('No one in that workspace can install apps.'), 400);
    if (decision === 'allow' && chosen) {
      const { scopes, userScopes, redirectUri } = request;
      const consent = { targetId: chosen.target.id, userId: chosen.userId, scopes, userScopes, redirectUri };
      return redirectBack(c, request.returnTo, 'code', app.authorizationCodes.create(consent));
    }
    return redirectBack(c, request.returnTo, 'error', 'access_denied');
  });
  routes.get('/oauth/v2/page.css', async (c) => {
    const css = await readStyles(installPageFolder);
    return c.body(css, 200, { 'content-type': 'text/css; charset=utf-8' });
  });
  routes.onError((error, c) => {
    if (error instanceof InvalidConsentRequestError) return c.html(renderErrorPage(error.message), 400);
    throw error;
  });
  return routes;
}

function redirectBack(c: Context, returnTo: URL, name: 'code' | 'error', value: string): Response {
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
