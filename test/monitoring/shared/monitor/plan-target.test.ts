import { expect, test } from 'vitest';
import { setPagesRead } from '../../../../src/hosting/payloads/pages.ts';
import { selectVps } from '../../../../src/monitoring/shared/plan-target.ts';
import type { Read } from '../../../../src/operations/define/read.ts';

const vps = Array.from({ length: 100 }, (_, index) => ({ vps_name: `VPS-${10_001 + index}` }));

/** Returns a function that reads the first 100 VPS of as many as the service has. */
function readFirst(total: number): Read {
  const data = { vps };
  const pages = Math.ceil(total / 50);
  setPagesRead(data, { pages: 2, allPages: pages, total, hasMore: total > 100, atMs: 0 });
  return (async () => data) as unknown as Read;
}

function context(read: Read, ownAliases: ReadonlyMap<string, string> = new Map()) {
  return { read, workspace: { teamId: 'T0ACME', listVpsAliases: async () => ownAliases } };
}

test('a plan for an incomplete list rejects no name and estimates the rest', async () => {
  const read = readFirst(10_000);
  expect(await selectVps(context(read), '*')).toMatchObject({
    selectedCount: 10_000,
    listCalls: 200,
    problem: undefined,
  });
  expect(await selectVps(context(read), 'VPS-1000*')).toMatchObject({
    selectedCount: 900,
    problem: undefined,
  });
  expect(await selectVps(context(read), 'VPS-99999')).toMatchObject({ selected: [], problem: undefined });
});

test('a plan for a complete list names the pattern that matches nothing', async () => {
  const read = readFirst(100);
  expect(await selectVps(context(read), 'VPS-10007')).toMatchObject({ selectedCount: 1, listCalls: 2 });
  expect(await selectVps(context(read), 'VPS-10007 VPS-99999')).toMatchObject({
    problem: 'No VPS matches VPS-99999',
  });
});

test('a plan selects VPS by the aliases of the team', async () => {
  const { selected, labelVps } = await selectVps(
    context(readFirst(100), new Map([['VPS-10007', 'orders-1']])),
    'orders-*',
  );
  expect(selected.map(({ name }) => name)).toEqual(['VPS-10007']);
  expect(labelVps('CPU of VPS-10007')).toBe('CPU of orders-1 (VPS-10007)');
});
