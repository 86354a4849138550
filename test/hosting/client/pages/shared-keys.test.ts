import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createTransport } from '../../../../src/hosting/client/transport.ts';
import { getStatus } from '../../../../src/hosting/endpoints/system.ts';
import { createRateLimiter } from '../../../../src/hosting/quota/rate-limiter.ts';
import { createHostingClients } from '../../../../src/workspaces/hosting-clients.ts';
import { createClientHarness } from '../client-harness.ts';
import { respond, startTestHttpServer } from '../test-servers.ts';
import { allNames, fleet, pageNumber, pageOf, readNames, size } from './paged-service.ts';

/** Starts a service with `count` VPS in pages, and workspaces whose keys a test can change. */
async function start(count: number) {
  const all = fleet(count);
  const server = await startTestHttpServer((response, { path }) => {
    const query = new URL(path, 'http://x').searchParams;
    const meta = { page: pageNumber(query), pages: Math.ceil(all.length / size) };
    const data = path.includes('/vps') ? pageOf(all, query) : { permissions: [] };
    respond(response, 200, { success: true, data, meta });
  });
  const transport = createTransport();
  const rateLimiter = await createRateLimiter({ callTimeoutMs: 10_000 });
  onTestFinished(async () => {
    await rateLimiter.close();
    await transport.close();
  });
  const key = { apiKey: 'shared', fingerprint: 'shared', limit: 50 };
  const keys = new Map(['T1', 'T2'].map((teamId) => [teamId, key]));
  let lookups = 0;
  const hostingFor = createHostingClients({
    keys: {
      async find(teamId) {
        lookups += 1;
        await nextTurn();
        return keys.get(teamId);
      },
    },
    settings: { baseUrl: server.url, keyHeader: 'authorization', pathOverrides: {} },
    transport,
    rateLimiter,
    assertActive: async () => {},
  });
  return { server, rateLimiter, key, keys, hostingFor, countLookups: () => lookups };
}

test('a workspace reads on in a list that another one began, whose key was replaced since', async () => {
  const { key, keys, hostingFor, countLookups } = await start(7);
  const options = { lane: 'people', maxAgeMs: 60_000 } as const;
  await readNames(hostingFor('T1'), { ...options, maxPages: 1 });
  keys.set('T1', { ...key, apiKey: 'new', fingerprint: 'new' });
  expect(await readNames(hostingFor('T2'), options)).toMatchObject({ names: allNames });
  expect(countLookups(), 'lookups of keys: two for each call').toBeLessThan(20);
});

test('a lowered quota also applies to a list that is being read', async () => {
  const { server, rateLimiter, key, keys, hostingFor } = await start(60);
  const hosting = hostingFor('T1');
  void readNames(hosting, { lane: 'background' }).catch(() => undefined);
  await expect.poll(() => server.requests.length, { interval: 1 }).toBeGreaterThanOrEqual(2);
  keys.set('T1', { ...key, limit: 6 });
  await hosting.call(getStatus, {}, { lane: 'people' });
  await expect.poll(async () => (await rateLimiter.usage(key.fingerprint, 6)).waiting.background).toBe(1);
  expect(server.requests.length).toBeLessThanOrEqual(6);
});

test('a caller who joins a read is told how long it waits, although the first caller did not ask', async () => {
  const server = await startTestHttpServer((response) => respond(response, 200, { success: true, data: [] }));
  const { client } = await createClientHarness(server.url, { limit: 1, windowMs: 1_000 });
  await readNames(client, { lane: 'people' });
  const waits: number[] = [];
  const first = readNames(client, { lane: 'people' });
  await Promise.all([first, readNames(client, { lane: 'people', onQueued: (ms) => waits.push(ms) })]);
  expect(waits).not.toEqual([]);
});
