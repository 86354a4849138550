import { createHash, timingSafeEqual } from 'node:crypto';
import type { ListenAddress, Route } from './server.ts';

interface MetricsSettings extends ListenAddress {
  readonly metricsPort?: number;
  readonly metricsToken?: string;
}

/**
 * Decides where `/metrics` is served: on its own port if one is set, otherwise on the main port. The main port
 * serves it only if a token is set, or if only this machine can reach the server.
 */
export function placeMetrics(
  routes: readonly Route[],
  { host, metricsPort, metricsToken }: MetricsSettings,
): { readonly onMainPort: readonly Route[]; readonly onOwnPort: readonly Route[] } {
  const placed =
    metricsToken === undefined ? routes : routes.map((route) => requireToken(route, metricsToken));
  if (metricsPort !== undefined) return { onMainPort: [], onOwnPort: placed };
  const isProtected = metricsToken !== undefined || (host !== undefined && loopback.test(host));
  return { onMainPort: isProtected ? placed : [], onOwnPort: [] };
}

const loopback = /^(127\.\d+\.\d+\.\d+|::1|localhost)$/;

/** Returns a route that responds with 401 unless the request has the token: `Authorization: Bearer TOKEN`. */
function requireToken(route: Route, token: string): Route {
  const expected = digest(`Bearer ${token}`);
  return {
    ...route,
    handle(request, response) {
      if (timingSafeEqual(digest(request.headers.authorization ?? ''), expected)) {
        return route.handle(request, response);
      }
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    },
  };
}

/** Hashes a text, because `timingSafeEqual` requires inputs of the same length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
