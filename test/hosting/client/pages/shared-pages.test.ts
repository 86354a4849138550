import { describe, expect, test } from 'vitest';
import { performVpsAction } from '../../../../src/hosting/endpoints/vps.ts';
import { backgroundCall, peopleCall } from '../client-harness.ts';
import {
  allNames,
  type PageRequest,
  pageNumber,
  pageOf,
  readNames,
  size,
  startPagedService,
} from './paged-service.ts';

describe('reads of the same list', () => {
  const numbered = (all: readonly unknown[], { query }: PageRequest) => ({
    body: {
      success: true,
      data: pageOf(all, query),
      meta: { page: pageNumber(query), pages: Math.ceil(all.length / size) },
    },
  });

  test('are shared while they are in flight', async () => {
    const { client, server } = await startPagedService(numbered);
    const [one, two] = await Promise.all([readNames(client), readNames(client)]);
    expect(one).toEqual(two);
    expect(server.requests).toHaveLength(3);
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

  test('end after 20 pages', async () => {
    const { client, server } = await startPagedService(numbered, 90);
    const { names, hasMore } = await readNames(client, peopleCall);
    expect([names.length, hasMore, server.requests.length]).toEqual([60, true, 20]);
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
