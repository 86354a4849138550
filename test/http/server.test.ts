import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createHealthRoutes, createReadiness } from '../../src/http/health.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { placeMetrics } from '../../src/http/protect-metrics.ts';
import { createHttpServer, type Route } from '../../src/http/server.ts';

const readyzSchema = z.looseObject({
  parts: z.record(z.string(), z.looseObject({ since: z.string() })),
});

const log = { error: () => undefined };

async function startServer(routes: readonly Route[]) {
  const server = createHttpServer(routes, { port: 0, host: '127.0.0.1' }, log);
  const port = await server.start();
  onTestFinished(() => server.stop());
  return (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

test('readiness names each part with its problem and since when; only required parts decide', async () => {
  let problem: string | undefined = "doesn't answer";
  const ask = await startServer(
    createHealthRoutes(
      createReadiness({
        there: { isRequired: true, check: () => undefined },
        missing: { isRequired: true, check: () => problem },
        broken: { isRequired: false, check: () => Promise.reject(new Error('no')) },
        silent: { isRequired: false, check: () => (problem ? new Promise(() => undefined) : undefined) },
      }),
    ),
  );
  const response = await ask('/readyz');
  expect(response.status).toBe(503);
  const since = expect.stringMatching(/^2.*Z$/);
  const first = readyzSchema.parse(await response.json());
  expect(first).toEqual({
    status: 'not ready',
    parts: {
      there: { ok: true, since },
      missing: { ok: false, problem: "doesn't answer", since },
      broken: { ok: false, problem: 'failed its check', since },
      silent: { ok: false, problem: "doesn't answer", since },
    },
  });
  expect((await ask('/healthz')).status).toBe(200);

  problem = undefined;
  const ready = await ask('/readyz');
  expect(ready.status).toBe(200);
  const second = readyzSchema.parse(await ready.json());
  expect(second).toMatchObject({ status: 'ready', parts: { missing: { ok: true } } });
  expect(second.parts.broken).toEqual(first.parts.broken);
  expect(second.parts.missing?.since).not.toBe(first.parts.missing?.since);
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

test.each(['/healthz', '/unknown', '/fails'])(
  'the response for %s has the security headers',
  async (path) => {
    const handle = () => Promise.reject(new Error('no'));
    const ask = await startServer([
      ...createHealthRoutes(createReadiness({})),
      { method: 'GET', path: '/fails', handle },
    ]);
    const { headers } = await ask(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'strict-transport-security': 'max-age=31536000',
    });
  },
);

test('a malformed host is 400, and nothing is logged', async () => {
  const lines: unknown[] = [];
  const handle = () => Promise.reject(new Error('no'));
  const server = createHttpServer(
    [{ method: 'GET', path: '/', handle }],
    { port: 0, host: '127.0.0.1' },
    { error: (line: unknown) => void lines.push(line) },
  );
  const socket = connect(await server.start(), '127.0.0.1');
  onTestFinished(() => server.stop());
  socket.write('GET / HTTP/1.1\r\nHost: [bad\r\nConnection: close\r\n\r\n');
  const [answer] = await once(socket, 'data');
  socket.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
  expect(lines).toEqual([]);
});

describe('metrics', () => {
  const routes = createMetrics().routes;
  const token = 'sixteen-characters';

  test('show the used quota and the waiting calls of each lane', async () => {
    const metrics = createMetrics();
    metrics.measure({
      quota: () => ({ used: { people: 3, background: 40 }, waiting: { people: 0, background: 12 } }),
    });
    metrics.quotaWaited('people', 1_500);
    const ask = await startServer(metrics.routes);
    const text = await (await ask('/metrics')).text();
    expect(text).toContain('rackhand_quota_used{lane="background"} 40');
    expect(text).toContain('rackhand_quota_waiting{lane="background"} 12');
    expect(text).toContain('rackhand_quota_wait_seconds_sum{lane="people"} 1.5');
  });

  test('are on the main port only with a token, or if only this machine reaches the port', () => {
    const count = (settings: Parameters<typeof placeMetrics>[1]) => {
      const { onMainPort, onOwnPort } = placeMetrics(routes, settings);
      return [onMainPort.length, onOwnPort.length];
    };
    expect(count({ port: 1 })).toEqual([0, 0]);
    expect(count({ port: 1, host: '0.0.0.0' })).toEqual([0, 0]);
    expect(count({ port: 1, host: '127.0.0.1' })).toEqual([1, 0]);
    expect(count({ port: 1, metricsToken: token })).toEqual([1, 0]);
    expect(count({ port: 1, host: '127.0.0.1', metricsPort: 2 })).toEqual([0, 1]);
  });

  test('need the token if one is set', async () => {
    const { onMainPort } = placeMetrics(routes, { port: 0, metricsToken: token });
    const ask = await startServer(onMainPort);
    for (const authorization of ['', 'Bearer wrong', token, `Bearer ${token}x`]) {
      expect((await ask('/metrics', { headers: { authorization } })).status).toBe(401);
    }
    const response = await ask('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('rackhand_runs_total');
  });
});
