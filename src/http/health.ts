import type { ServerResponse } from 'node:http';
import { withTimeout } from '../with-timeout.ts';
import type { Route } from './server.ts';

/** Checks by name. A check fails if it returns false, throws or times out. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<boolean> | boolean>>;

/** Time limit of a check, since the caller of `/readyz` waits for all of them. */
const checkTimeoutMs = 2_000;

/**
 * Serves `/healthz` (200 while the process runs) and `/readyz` (503 unless all checks pass, with
 * the result of each). `/readyz` also shows the details, which don't decide.
 */
export function createHealthRoutes(
  checks: ReadinessChecks,
  readDetails: () => Promise<object> = async () => ({}),
): readonly Route[] {
  return [
    { method: 'GET', path: '/healthz', handle: (_, response) => sendJson(response, 200, { status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      async handle(_, response) {
        const results = await Promise.all(
          Object.entries(checks).map(async ([name, check]) => [name, await passesInTime(check)] as const),
        );
        const isReady = results.every(([, hasPassed]) => hasPassed);
        const status = isReady ? 'ready' : 'not ready';
        const details = await withTimeout(readDetails(), checkTimeoutMs, () => ({})).catch(() => ({}));
        sendJson(response, isReady ? 200 : 503, { status, ...Object.fromEntries(results), ...details });
      },
    },
  ];
}

async function passesInTime(check: ReadinessChecks[string]): Promise<boolean> {
  try {
    return await withTimeout(Promise.resolve(check()), checkTimeoutMs, () => false);
  } catch {
    return false;
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
