import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { createTransport } from '../../../src/hosting/client/transport.ts';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { listVps, performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { readVpsList } from '../../../src/hosting/payloads/vps.ts';
import { createRateLimiter } from '../../../src/hosting/quota/rate-limiter.ts';
import { createHostingClients } from '../../../src/workspaces/hosting-clients.ts';
import { backgroundCall, catchHostingError, createClientHarness, peopleCall } from './client-harness.ts';
import { respond, startTestHttpServer } from './test-servers.ts';

interface PageRequest {
  readonly query: URLSearchParams;
  readonly origin: string;
  /** How many calls the service had received before this one. */
  readonly index: number;
}

interface PageReply {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const fleet = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ vps_name: `VPS-${10_001 + index}`, uptime: Math.random() }));

/** Starts a service whose list of VPS has, by default, 7 entries in pages of 3. */
async function startPagedService(
  page: (entries: ReturnType<typeof fleet>, request: PageRequest) => PageReply,
  count = 7,
) {
  const all = fleet(count);
  const server = await startTestHttpServer((response, { path, headers }) => {
    const { searchParams } = new URL(path, 'http://service.example');
    const origin = `http://${headers.host}`;
    const {
      status = 200,
      body,
      headers: sent,
    } = page(all, {
      query: searchParams,
      origin,
      index: server.requests.length - 1,
    });
    respond(response, status, body ?? {}, sent);
  });
  return { ...(await createClientHarness(server.url)), server };
}

const size = 3;

const pageOf = (all: readonly unknown[], query: URLSearchParams, first = 1) => {
  const start = (Number(query.get('page') ?? first) - first) * size;
  return all.slice(start, start + size);
};
const pageNumber = (query: URLSearchParams) => Number(query.get('page') ?? 1);
const offsetOf = (query: URLSearchParams, param = 'offset') => Number(query.get(param) ?? 0);

async function readNames(
  client: HostingClient,
  options: Parameters<HostingClient['call']>[2] = backgroundCall,
) {
  const { vps, hasMore } = readVpsList(await client.call(listVps, {}, options));
  return { names: vps.map(({ name }) => name), hasMore };
}

const allNames = fleet(7).map(({ vps_name }) => vps_name);

describe('a list in several pages is read completely', () => {
  test.each<[string, Parameters<typeof startPagedService>[0]]>([
    [
      'by a Link header',
      (all, { query, origin }) => ({
        body: { success: true, data: pageOf(all, query) },
        headers:
          pageNumber(query) < 3
            ? { link: `<${origin}/v1/vps?page=${pageNumber(query) + 1}>; rel="next"` }
            : {},
      }),
    ],
    [
      'by an address beside data',
      (all, { query }) => ({
        body: {
          success: true,
          data: { vps: pageOf(all, query) },
          links: { next: pageNumber(query) < 3 ? `/v1/vps?page=${pageNumber(query) + 1}` : null },
        },
      }),
    ],
    [
      'by an address of another scheme and host, as behind a proxy',
      (all, { query }) => ({
        body: {
          success: true,
          data: {
            vps: pageOf(all, query),
            next: pageNumber(query) < 3 ? `https://internal.example/vps?page=${pageNumber(query) + 1}` : null,
          },
        },
      }),
    ],
    [
      'by page numbers beside data',
      (all, { query }) => ({
        body: { success: true, data: pageOf(all, query), meta: { page: pageNumber(query), pages: 3 } },
      }),
    ],
    [
      'by page numbers beside the list in data',
      (all, { query }) => {
        const [current_page, last_page] = [pageNumber(query), 3];
        return {
          body: { success: true, data: { vps: { data: pageOf(all, query), current_page, last_page } } },
        };
      },
    ],
    [
      'by cursors',
      (all, { query }) => {
        const start = offsetOf(query, 'cursor');
        const next_cursor = start + size < all.length ? `${start + size}x` : '';
        return { body: { success: true, data: all.slice(start, start + size), meta: { next_cursor } } };
      },
    ],
  ])('%s', async (_, page) => {
    const { client, server } = await startPagedService((all, request) => {
      const query = new URLSearchParams(String(request.query).replace(/x$/, ''));
      return page(all, { ...request, query });
    });
    expect(await readNames(client)).toEqual({ names: allNames, hasMore: false });
    expect(server.requests.length).toBeLessThanOrEqual(5);
    expect(server.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('with the other fields of all pages', async () => {
    const { client } = await startPagedService((all, { query }) => ({
      body: {
        success: true,
        data: {
          vps: pageOf(all, query),
          vps_quota: 20,
          page: pageNumber(query),
          pages: 3,
          links: [{ rel: 'self', href: '/' }],
        },
      },
    }));
    const { otherFields } = readVpsList(await client.call(listVps, {}, backgroundCall));
    expect(otherFields).toMatchObject({ vps_quota: 20, pages: 3 });
  });
});

describe('a list whose next page is not named may be incomplete', () => {
  test.each<[string, Parameters<typeof startPagedService>[0]]>([
    [
      'a number of pages',
      (all, { query }) => ({ body: { success: true, data: pageOf(all, query), meta: { pages: 3 } } }),
    ],
    [
      'pages under other names',
      (all, { query }) => ({
        body: {
          success: true,
          data: {
            content: pageOf(all, query, 0),
            number: Number(query.get('page') ?? 0),
            totalPages: 3,
            totalElements: 7,
          },
        },
      }),
    ],
    [
      'a total',
      (all, { query }) => ({
        body: { success: true, data: all.slice(offsetOf(query), offsetOf(query) + size), total: all.length },
      }),
    ],
    [
      'a flag',
      (all, { query }) => ({
        body: { success: true, data: { vps: pageOf(all, query), truncated: pageNumber(query) < 3 } },
      }),
    ],
    [
      'a full page',
      (all, { query }) => ({
        body: { success: true, data: { vps: pageOf(all, query), page: pageNumber(query), per_page: size } },
      }),
    ],
    [
      'an offset',
      (all) => ({
        body: { success: true, data: { vps: all.slice(0, size), offset: 0, limit: size, total: all.length } },
      }),
    ],
  ])('if there is %s', async (_, page) => {
    const { client, server } = await startPagedService(page);
    expect(await readNames(client)).toEqual({ names: allNames.slice(0, 3), hasMore: true });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a list with inconsistent pages', () => {
  test('ends at a page that was already read', async () => {
    const { client, server } = await startPagedService((all) => ({
      body: { success: true, data: all.slice(0, 3), meta: { page: 1, pages: 3 } },
    }));
    expect(await readNames(client)).toEqual({ names: allNames.slice(0, 3), hasMore: true });
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  test('ends at the page limit if the service never ends it', async () => {
    const { client, server } = await startPagedService((_, { index }) => ({
      body: { success: true, data: { vps: [{ vps_name: `VPS-${index}` }], next_page: index + 2 } },
    }));
    const { names, hasMore } = await readNames(client, { ...backgroundCall, maxPages: 30 });
    expect([names.length, hasMore, server.requests.length]).toEqual([20, true, 20]);
    expect(await readNames(client, peopleCall)).toEqual({ names, hasMore });
    expect(server.requests).toHaveLength(20);
  });

  test('counts as incomplete if it shrinks in the meantime, because an entry could be skipped', async () => {
    const { client } = await startPagedService((all, { query, index }) => {
      const now = index === 0 ? all : all.slice(1);
      return {
        body: {
          success: true,
          data: now.slice(offsetOf(query), offsetOf(query) + size),
          offset: offsetOf(query),
          total: now.length,
        },
      };
    });
    const { names, hasMore } = await readNames(client);
    expect(names).not.toContain('VPS-10004');
    expect(hasMore).toBe(true);
  });

  test('has the pages before a failed one, and continues there later', async () => {
    let isBroken = true;
    const { client, server } = await startPagedService((all, { query }) =>
      isBroken && pageNumber(query) === 2
        ? { status: 500 }
        : { body: { success: true, data: pageOf(all, query), meta: { page: pageNumber(query), pages: 3 } } },
    );
    expect(await readNames(client)).toEqual({ names: allNames.slice(0, 3), hasMore: true });
    isBroken = false;
    expect(await readNames(client, { ...backgroundCall, maxAgeMs: 60_000 })).toEqual({
      names: allNames,
      hasMore: false,
    });
    expect(server.requests.filter(({ path }) => path === '/v1/vps')).toHaveLength(1);
  });

  test('fails as a whole if the key is rejected in the meantime', async () => {
    const { client } = await startPagedService((all, { query }) =>
      pageNumber(query) === 2
        ? { status: 401 }
        : { body: { success: true, data: pageOf(all, query), meta: { page: pageNumber(query), pages: 3 } } },
    );
    expect((await catchHostingError(client.call(listVps, {}, backgroundCall))).code).toBe('key_rejected');
  });

  test('never sends the key to another host or path', async () => {
    const thief = await startTestHttpServer((response) =>
      respond(response, 200, { success: true, data: fleet(9) }),
    );
    for (const next of [
      `${thief.url}/v1/vps?page=2`,
      '//evil.example/x',
      '/v1/me?page=2',
      'https://user:pw@',
      `${thief.url}`,
    ]) {
      const { client, server } = await startPagedService((all) => ({
        body: { success: true, data: { vps: all.slice(0, 3), next } },
      }));
      expect(await readNames(client)).toEqual({ names: allNames.slice(0, 3), hasMore: true });
      expect(server.requests.every(({ path }) => /^\/v1\/vps(\?|$)/.test(path))).toBe(true);
    }
    expect(thief.requests).toHaveLength(0);
  });
});

describe('reads of the same list', () => {
  const numbered = (all: readonly unknown[], { query }: PageRequest) => ({
    body: {
      success: true,
      data: pageOf(all, query),
      meta: { page: pageNumber(query), pages: Math.ceil(all.length / size) },
    },
  });

  test('share stored pages, and continue where another read stopped', async () => {
    const { client, server } = await startPagedService(numbered);
    const options = { ...peopleCall, maxAgeMs: 60_000 };
    expect(await readNames(client, { ...options, maxPages: 1 })).toEqual({
      names: allNames.slice(0, 3),
      hasMore: true,
    });
    expect(await readNames(client, options)).toEqual({ names: allNames, hasMore: false });
    expect(await readNames(client, { ...options, maxPages: 1 })).toEqual({ names: allNames, hasMore: false });
    expect(server.requests).toHaveLength(3);
  });

  test("read all pages in the caller's lane", async () => {
    const { client, usage } = await startPagedService(numbered);
    await readNames(client, peopleCall);
    expect((await usage()).used).toEqual({ people: 3, background: 0 });
  });

  test('after a change start again', async () => {
    const { client, server } = await startPagedService(numbered);
    await readNames(client);
    await client
      .call(performVpsAction, { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } }, peopleCall)
      .catch(() => undefined);
    await readNames(client, { ...backgroundCall, maxAgeMs: 60_000 });
    expect(server.requests).toHaveLength(7);
  });
});

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
