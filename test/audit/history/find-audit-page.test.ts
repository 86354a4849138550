import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import type { AuditStore } from '../../../src/audit/audit-store.ts';
import { type AuditPage, findAuditPage, pageSize } from '../../../src/audit/history/find-audit-page.ts';
import type { PageRequest } from '../../../src/audit/history/history-arguments.ts';
import { createAuditEntry } from '../audit-fixture.ts';

const query = { teamId: 'T0ACME' };

/** A log with one run per millisecond, which counts the runs that are read. */
function createStore(count: number) {
  const runs = Array.from({ length: count }, (_, index) =>
    createAuditEntry({ id: `run-${String(index).padStart(6, '0')}`, requestedMs: index }),
  );
  let readRuns = 0;
  const store: Pick<AuditStore, 'search'> = {
    search: () => ({
      async read({ direction, from, limit }) {
        const at = from?.requestedMs;
        const batch =
          direction === 'older'
            ? runs.slice(Math.max(0, (at ?? count) - limit), at ?? count).toReversed()
            : runs.slice((at ?? -1) + 1, (at ?? -1) + 1 + limit);
        readRuns += batch.length;
        const last = batch.at(-1);
        return { entries: batch, ...(last && batch.length === limit && { next: last }) };
      },
    }),
  };
  return { store, countReadRuns: () => readRuns };
}

const listNumbers = ({ entries }: AuditPage) => entries.map(({ requestedMs }) => requestedMs);
const matchesAll = () => true;

async function readAllPages(
  store: Pick<AuditStore, 'search'>,
  matches: (run: AuditEntry) => boolean,
): Promise<AuditPage[]> {
  const pages: AuditPage[] = [];
  let page: PageRequest | undefined;
  for (let count = 0; count < 1_000; count += 1) {
    const first = await findAuditPage(store, query, matches, page);
    pages.push(first);
    if (!first.older) return pages;
    page = { direction: 'older', from: first.older };
  }
  throw new Error('the pages do not end');
}

describe('a page of the activity log', () => {
  test('has the newest runs first, with an older page and no newer one', async () => {
    const first = await findAuditPage(createStore(60).store, query, matchesAll);
    expect(listNumbers(first)).toEqual(Array.from({ length: pageSize }, (_, index) => 59 - index));
    expect(first.older).toMatchObject({ requestedMs: 60 - pageSize });
    expect(first.newer).toBeUndefined();
  });

  test('leads to every matching run once, and back through the same pages', async () => {
    const interval = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_200 }), interval, async (count, every) => {
        const { store } = createStore(count);
        const matches = ({ requestedMs }: AuditEntry) => requestedMs % every === 0;
        const pages = await readAllPages(store, matches);
        const expected = Array.from({ length: count }, (_, index) => count - 1 - index);
        expect(pages.flatMap(listNumbers)).toEqual(expected.filter((number) => number % every === 0));
        let { newer } = pages.at(-1) ?? {};
        for (const page of pages.slice(0, -1).toReversed()) {
          if (!newer) throw new Error('there is no newer page');
          const back = await findAuditPage(store, query, matches, { direction: 'newer', from: newer });
          expect(listNumbers(back)).toEqual(listNumbers(page));
          newer = back.newer;
        }
        expect(newer).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  test('stops if few runs match, says how far it searched, and continues from there', async () => {
    const log = createStore(100_000);
    const first = await findAuditPage(log.store, query, ({ requestedMs }) => requestedMs < 3);
    expect(log.countReadRuns()).toBe(5_050);
    expect(first).toEqual({ entries: [], older: expect.anything(), searchedToMs: 94_950 });
    const pages = await readAllPages(log.store, ({ requestedMs }) => requestedMs < 3);
    expect(pages.flatMap(listNumbers)).toEqual([2, 1, 0]);
  });
});
