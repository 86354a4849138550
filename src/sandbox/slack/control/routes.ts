import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Core } from '../core.ts';
import { Impossible } from '../interactions/impossible.ts';
import { actRoutes } from './acts.ts';
import { companionRoutes } from './companion.ts';
import { leverRoutes } from './levers.ts';
import { lookRoutes } from './looks.ts';

/** Serves the control API, JSON over HTTP under `/sandbox`. What cannot be done is 400 or 404 with `error`. */
export function controlRoutes(core: Core): Hono {
  const routes = new Hono();
  routes.use(refuseOtherSites);
  const parts = [actRoutes(core), lookRoutes(core), leverRoutes(core), companionRoutes(core.companion)];
  for (const part of parts) routes.route('/', part);
  routes.onError((error, c) => {
    if (error instanceof Impossible) return c.json({ error: error.message }, error.status);
    throw error;
  });
  return routes;
}

/** Any page that a browser on this machine shows could press buttons here otherwise; scripts send no such header. */
const refuseOtherSites = createMiddleware(async (c, next) => {
  const site = c.req.header('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') return c.json({ error: 'Refused for other sites' }, 403);
  return next();
});
