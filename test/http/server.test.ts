import { expect, onTestFinished, test } from 'vitest';
import { createHealthRoutes } from '../../src/http/health.ts';
import { createHttpServer, type Route } from '../../src/http/server.ts';

const log = { error: () => undefined };

async function startServer(routes: readonly Route[]) {
  const server = createHttpServer(routes, { port: 0, host: '127.0.0.1' }, log);
  const port = await server.start();
  onTestFinished(() => server.stop());
  return (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

test('readiness names each check that fails, throws or times out', async () => {
  const ask = await startServer(
    createHealthRoutes({
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

test('an unknown path is 404, another method 405, and an error 500 without details', async () => {
  const ask = await startServer([
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
