import { describe, expect, test } from 'vitest';
import { listVps } from '../../../../src/hosting/endpoints/vps.ts';
import { backgroundCall, catchHostingError, peopleCall } from '../client-harness.ts';
import { respond, startTestHttpServer } from '../test-servers.ts';
import {
  allNames,
  fleet,
  offsetOf,
  pageNumber,
  pageOf,
  readNames,
  size,
  startPagedService,
} from './paged-service.ts';

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
