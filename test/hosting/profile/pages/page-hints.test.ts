import { describe, expect, test } from 'vitest';
import { collectPageHints } from '../../../../src/hosting/profile/pages/page-hints.ts';
import { type NextRequest, toPageStatus } from '../../../../src/hosting/profile/pages/page-status.ts';

const list = Array.from({ length: 50 }, (_, index) => ({ vps_name: `VPS-${10_001 + index}` }));

/** Returns the status of a first page with 50 VPS. */
function firstPage(reply: unknown, headers: Readonly<Record<string, string>> = {}, pageEntries = 50) {
  const position = { pagesRead: 1, entriesRead: pageEntries, pageEntries };
  return toPageStatus(collectPageHints(reply, headers), position);
}

const url = (address: string): NextRequest => ({ kind: 'url', url: address });
const query = (param: string, value: string): NextRequest => ({ kind: 'query', param, value });

const reply = (beside: object) => ({ success: true, data: list, ...beside });
const inData = (beside: object) => ({ success: true, data: { vps: list, ...beside } });

describe('a reply hints at further pages', () => {
  test.each<[string, unknown, NextRequest]>([
    [
      'as Hetzner does',
      reply({
        meta: {
          pagination: {
            page: 1,
            per_page: 50,
            previous_page: null,
            next_page: 2,
            last_page: 4,
            total_entries: 200,
          },
        },
      }),
      query('page', '2'),
    ],
    [
      'as DigitalOcean does',
      inData({
        links: {
          pages: { last: 'https://a.example/v1/vps?page=4', next: 'https://a.example/v1/vps?page=2' },
        },
        meta: { total: 200 },
      }),
      url('https://a.example/v1/vps?page=2'),
    ],
    ['as Linode does', inData({ page: 1, pages: 4, results: 200 }), query('page', '2')],
    [
      'as OpenStack does',
      inData({ servers_links: [{ rel: 'next', href: 'http://a.example/v1/vps?limit=50&marker=VPS-10050' }] }),
      url('http://a.example/v1/vps?limit=50&marker=VPS-10050'),
    ],
    [
      'as Vultr does',
      inData({ meta: { total: 200, links: { next: 'bmV4dF9fMTIzNDU2', prev: '' } } }),
      query('cursor', 'bmV4dF9fMTIzNDU2'),
    ],
    [
      'as Laravel does',
      reply({
        links: { first: '/v1/vps?page=1', last: '/v1/vps?page=4', prev: null, next: '/v1/vps?page=2' },
        meta: { current_page: 1, from: 1, last_page: 4, path: '/v1/vps', per_page: 50, to: 50, total: 200 },
      }),
      url('/v1/vps?page=2'),
    ],
    [
      'as Django REST framework does',
      inData({ count: 200, next: '/v1/vps?limit=50&offset=50', previous: null }),
      url('/v1/vps?limit=50&offset=50'),
    ],
    [
      'as Spring does',
      {
        data: {
          content: list,
          totalPages: 4,
          totalElements: 200,
          number: 0,
          size: 50,
          first: true,
          last: false,
          empty: false,
        },
      },
      query('page', '1'),
    ],
    [
      'as Spring HATEOAS does',
      {
        data: {
          _embedded: { vps: list },
          _links: { self: { href: '/v1/vps' }, next: { href: '/v1/vps?page=1' } },
        },
        page: { size: 50, totalElements: 200, totalPages: 4, number: 0 },
      },
      url('/v1/vps?page=1'),
    ],
    [
      'as CloudSigma does',
      inData({ meta: { limit: 50, offset: 0, total_count: 200 } }),
      query('offset', '50'),
    ],
    ['as Jira does', inData({ startAt: 0, maxResults: 50, total: 200 }), query('startAt', '50')],
    [
      'as SCIM does',
      inData({ startIndex: 1, itemsPerPage: 50, totalResults: 200 }),
      query('startIndex', '51'),
    ],
    ['as Google does', inData({ nextPageToken: 'abc' }), query('pageToken', 'abc')],
    ['as AWS does', inData({ NextToken: 'abc' }), query('NextToken', 'abc')],
    [
      'as Azure does',
      inData({ nextLink: 'https://a.example/v1/vps?$skiptoken=2' }),
      url('https://a.example/v1/vps?$skiptoken=2'),
    ],
    [
      'as Slack does',
      reply({ response_metadata: { next_cursor: 'dXNlcjpVMDYxTkZU' } }),
      query('cursor', 'dXNlcjpVMDYxTkZU'),
    ],
    ['as Relay does', inData({ pageInfo: { hasNextPage: true, endCursor: 'abc' } }), query('after', 'abc')],
    [
      'as Rackspace does',
      inData({ metadata: { count: 50, limit: 50, next_marker: 'enB', next_href: '' } }),
      query('marker', 'enB'),
    ],
    ['with a number of pages beside data', reply({ meta: { pages: 200 } }), query('page', '2')],
    ['with a number of pages as text', inData({ page_count: '4' }), query('page', '2')],
    ['with a page counted from 0', inData({ page: 0, total_pages: 2 }), query('page', '1')],
    ['with a page number of another name', inData({ pageIndex: 1, pageCount: 4 }), query('pageIndex', '2')],
    ['with a total in the envelope', reply({ total: 200 }), query('page', '2')],
    ['with a count and a limit', inData({ count: 200, limit: 50 }), query('offset', '50')],
    ['with a flag alone', inData({ truncated: true }), query('page', '2')],
    ['with a flag as a number', inData({ is_truncated: 1, offset: 0 }), query('offset', '50')],
    ['with a flag and a limit', reply({ has_more: true, limit: 50 }), query('offset', '50')],
    ['with an offset to continue from', inData({ next_offset: 50 }), query('offset', '50')],
    ['with a cursor in a record', inData({ cursor: { next: 'abc' } }), query('cursor', 'abc')],
    [
      'with cursors as Facebook has them',
      reply({ paging: { cursors: { before: 'a', after: 'b' } } }),
      query('after', 'b'),
    ],
    ['with a next page that is a query', inData({ next: 'page=2' }), url('page=2')],
    ['around a list of projects', inData({ result: { items: list, total_count: 200 } }), query('page', '2')],
    [
      'with a page that is exactly full and nothing else',
      inData({ page: 1, per_page: 50 }),
      query('page', '2'),
    ],
  ])('%s', (_, answer, expected) => {
    const { hasMore, next } = firstPage(answer);
    expect(hasMore).toBe(true);
    expect(next[0]).toEqual(expected);
  });

  test.each<[string, Record<string, string>, NextRequest]>([
    [
      'Link',
      {
        link: '<https://a.example/v1/vps?page=2>; rel="next", <https://a.example/v1/vps?page=4>; rel="last"',
      },
      url('https://a.example/v1/vps?page=2'),
    ],
    [
      'Link with more relations',
      { link: '</v1/vps?page=1>; rel=first, </v1/vps?a=1,2&page=2>; title="x"; rel="alternate next"' },
      url('/v1/vps?a=1,2&page=2'),
    ],
    ['X-Next-Page', { 'x-page': '1', 'x-next-page': '2', 'x-total-pages': '4' }, query('page', '2')],
    ['X-Total-Count', { 'x-total-count': '200' }, query('page', '2')],
    [
      'X-Pagination',
      { 'x-pagination': '{"TotalCount":200,"PageSize":50,"CurrentPage":1,"HasNext":true}' },
      query('page', '2'),
    ],
  ])('in the header %s', (_, headers, expected) => {
    const { hasMore, next } = firstPage(reply({}), headers);
    expect(hasMore).toBe(true);
    expect(next[0]).toEqual(expected);
  });
});

describe('a reply does not hint at further pages', () => {
  test.each<[string, unknown]>([
    ['without any field for it', reply({})],
    ['with a total that is the number of entries', reply({ total: 50, meta: { total: 50, count: 50 } })],
    ['on the last page', inData({ page: 1, pages: 1, next: null, has_more: false, last: true, total: 50 })],
    [
      'with empty links',
      reply({ links: {}, meta: { pagination: { next_page: null, last_page: 1, total_entries: 50 } } }),
    ],
    [
      'with a quota',
      inData({ quota: { limit: 100, total: 100, count: 60 }, limit: 100, used: 50, total: 100 }),
    ],
    ['with a limit', inData({ limit: 50 })],
    [
      'with quotas of a VLAN list',
      { data: { vlans: [{ id: 'a' }], vlan_quota: 5, limit: 5, usage: { total: 900 } } },
    ],
    [
      'with fields of the entries',
      { data: { vps: [{ ...list[0], next: 'backup', pages: 3, total: 400, has_more: true }] } },
    ],
    [
      'with fields of entries by name',
      { data: { 'VPS-10001': { ips: ['192.0.2.1'], total: 400, pages: 3, next: 'x' } } },
    ],
    ['with a next appointment', inData({ maintenance: { next: '2026-12-01' }, invoice: { total: 400 } })],
    ['with a limit of 0 for none', inData({ meta: { limit: 0, offset: 0, total_count: 50 } })],
    ['with a cursor on its last page', inData({ pageInfo: { hasNextPage: false, endCursor: 'abc' } })],
    ['with an empty cursor', reply({ response_metadata: { next_cursor: '' } })],
    [
      'with fields of another type',
      inData({ next: [], total: 'many', pages: {}, has_more: 'maybe', cursor: null }),
    ],
  ])('%s', (_, answer) => {
    expect(firstPage(answer, { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '49' }).hasMore).toBe(
      false,
    );
  });
});

describe('the page after a later one', () => {
  const later = (answer: unknown, pageEntries = 50) =>
    toPageStatus(collectPageHints(answer), {
      pagesRead: 3,
      entriesRead: 100 + pageEntries,
      pageEntries,
      firstPage: 1,
    });

  test('is counted if the service does not number its pages', () => {
    expect(later(reply({ meta: { pages: 200 } })).next[0]).toEqual(query('page', '4'));
    expect(later(inData({ total: 200 })).next).toEqual([query('page', '4'), query('offset', '150')]);
  });

  test('continues from the offset of the page', () => {
    expect(later(inData({ offset: 100, limit: 50, total: 400 })).next[0]).toEqual(query('offset', '150'));
  });

  test('does not exist after the last one', () => {
    for (const beside of [
      { page: 3, pages: 3 },
      { total: 150 },
      { offset: 100, limit: 50, total: 150 },
      { next: null },
    ])
      expect(later(inData(beside)).hasMore).toBe(false);
    expect(later(inData({ page: 3, per_page: 50 }), 20).hasMore).toBe(false);
  });
});

test('a list that ends before its total says so, but has no URL to continue', () => {
  expect(firstPage(inData({ next: null, total: 200 }))).toEqual({ hasMore: true, next: [] });
});
