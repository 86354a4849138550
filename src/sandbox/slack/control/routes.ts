import { Hono } from 'hono';
import type { Core } from '../core.ts';
import { Impossible } from '../interactions/impossible.ts';
import { actRoutes } from './acts.ts';
import { leverRoutes } from './levers.ts';
import { lookRoutes } from './looks.ts';

/** Serves the control API, JSON over HTTP under `/sandbox`. What cannot be done is 400 or 404 with `error`. */
export function controlRoutes(core: Core): Hono {
  const routes = new Hono()
    .route('/', actRoutes(core))
    .route('/', lookRoutes(core))
    .route('/', leverRoutes(core));
  routes.onError((error, c) => {
    if (error instanceof Impossible) return c.json({ error: error.message }, error.status);
    throw error;
  });
  return routes;
}
