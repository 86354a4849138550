import { isIP } from 'node:net';
import { createMiddleware } from 'hono/factory';

/**
 * Rejects requests that a website could send here through a local browser: requests for another
 * hostname (by DNS rebinding), and changes requested by another site. `allowedHosts` are host
 * names without a port.
 */
export function rejectForeignRequests(allowedHosts: readonly string[]) {
  return createMiddleware(async (c, next) => {
    const { hostname, host } = new URL(c.req.url);
    if (!isLocalHost(hostname) && !allowedHosts.includes(hostname))
      return c.json({ error: `The host ${hostname} isn't allowed. Use 127.0.0.1 or localhost.` }, 403);
    if (isSafeMethod(c.req.method)) return next();
    const origin = c.req.header('origin');
    const isOtherSite = ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '');
    const isOtherOrigin = origin !== undefined && origin !== 'null' && !origin.endsWith(`//${host}`);
    return isOtherSite || isOtherOrigin
      ? c.json({ error: 'Requests from other sites are rejected' }, 403)
      : next();
  });
}

/**
 * Rejects changes without JSON. A website can send a form to another origin without asking first,
 * but not JSON.
 */
export const rejectChangesWithoutJson = createMiddleware(async (c, next) => {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (isSafeMethod(c.req.method) || type === 'application/json') return next();
  return c.json({ error: 'Send JSON, with the header content-type: application/json' }, 415);
});

/** Returns whether a hostname is local. IP addresses are allowed, because only names can be rebound. */
function isLocalHost(hostname: string): boolean {
  return (
    isIP(hostname.replace(/^\[|\]$/g, '')) > 0 || hostname === 'localhost' || hostname.endsWith('.localhost')
  );
}

function isSafeMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
