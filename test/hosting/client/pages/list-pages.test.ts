import { describe, expect, test } from 'vitest';
import { listVps } from '../../../../src/hosting/endpoints/vps.ts';
import { readVpsList } from '../../../../src/hosting/payloads/vps.ts';
import { backgroundCall } from '../client-harness.ts';
import {
  allNames,
  offsetOf,
  pageNumber,
  pageOf,
  readNames,
  size,
  startPagedService,
} from './paged-service.ts';

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
