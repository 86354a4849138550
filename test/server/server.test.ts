import { expect, onTestFinished, test } from 'vitest';
import { healthRoutes } from '../../src/server/health.ts';
import { createHttpServer, type Route } from '../../src/server/server.ts';

const log = { error: () => undefined };

async function serve(routes: readonly Route[]) {
  const server = createHttpServer(routes, { port: 0, host: '127.0.0.1' }, log);
  const port = await server.start();
  onTestFinished(() => server.stop());
  return (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

test('readiness names what is missing, whether it says no, breaks, or never answers', async () => {
  const ask = await serve(
    healthRoutes({
      there: () => true,
      missing: () => false,
      broken: () => Promise.reject(new Error('no')),
      silent: () => new Promise<boolean>(() => undefined),
    }),
  );
  const response = await ask('/readyz');
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({
    status: 'not ready',
    there: true,
    missing: false,
    broken: false,
    silent: false,
  });
  expect((await ask('/healthz')).status).toBe(200);
});

test('what is not there is 404, another method 405, and a failure 500 without a word of why', async () => {
  const ask = await serve([
    {
      method: 'POST',
      path: '/fails',
      handle: () => {
        throw new Error('secret');
      },
    },
  ]);
  expect((await ask('/')).status).toBe(404);
  expect((await ask('/fails')).status).toBe(405);
  const response = await ask('/fails?x=1', { method: 'POST' });
  expect(response.status).toBe(500);
  expect(await response.text()).toBe('');
});
