import type { ServerResponse } from 'node:http';
import type { Route } from './server.ts';

/** What has to be there for Rackhand to be of use, by name; a check that throws, or takes too long, says no. */
export type Checks = Readonly<Record<string, () => Promise<boolean> | boolean>>;

/** Longest that a check may take: who asks waits for it. */
const checkWithinMs = 2_000;

/** Serves `/healthz`, which says that the process lives, and `/readyz`, which says whether it can do its work, and what is missing. */
export function healthRoutes(checks: Checks): readonly Route[] {
  return [
    { method: 'GET', path: '/healthz', handle: (_, response) => answer(response, 200, { status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      async handle(_, response) {
        const results = await Promise.all(
          Object.entries(checks).map(async ([name, check]) => [name, await holds(check)] as const),
        );
        const isReady = results.every(([, isThere]) => isThere);
        const status = isReady ? 'ready' : 'not ready';
        answer(response, isReady ? 200 : 503, { status, ...Object.fromEntries(results) });
      },
    },
  ];
}

async function holds(check: Checks[string]): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), checkWithinMs);
  try {
    return await Promise.race([check(), late.promise]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
