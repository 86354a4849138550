import { Hono } from 'hono';
import { InvalidActionError } from '../acts/invalid-action-error.ts';
import type { Core } from '../core.ts';
import { mcpRoutes } from '../mcp/mcp-routes.ts';
import { actRoutes } from './act-routes.ts';
import { companionRoutes } from './companion-routes.ts';
import { simulationRoutes } from './simulation-routes.ts';
import { stateRoutes } from './state-routes.ts';

/**
 * Serves the control API: JSON over HTTP, below `/sandbox`. Invalid requests get 400 or 404 with an
 * `error`. The header `sandbox-revision` says how many changes there were before the request, and
 * `sandbox-traffic` which line of traffic was the newest.
 */
export function controlRoutes(core: Core): Hono {
  const routes = new Hono();
  routes.use((c, next) => {
    c.header('sandbox-revision', String(core.changes.revision()));
    c.header('sandbox-traffic', String(core.traffic.lastId()));
    return next();
  });
  const parts = [
    actRoutes(core),
    stateRoutes(core),
    simulationRoutes(core),
    mcpRoutes(core),
    companionRoutes(core.companion),
  ];
  for (const part of parts) routes.route('/', part);
  routes.onError((error, c) => {
    if (error instanceof InvalidActionError) return c.json({ error: error.message }, error.status);
    throw error;
  });
  return routes;
}
