import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Page } from '../../../src/workspaces/record/arguments.ts';
import { type LookedUp, lookUp, pageRuns } from '../../../src/workspaces/record/look-up.ts';
import type { RecordStore } from '../../../src/workspaces/record/record-store.ts';
import type { RecordedRun } from '../../../src/workspaces/record/recorded-run.ts';
import { recorded } from './recorded.ts';

const extent = { teamId: 'T0ACME' };

/** A record of so many runs, each a millisecond after the one before; counts what is read of it. */
function recordOf(count: number) {
  const runs = Array.from({ length: count }, (_, index) =>
    recorded({ id: `run-${String(index).padStart(6, '0')}`, requestedMs: index }),
  );
  let readRuns = 0;
  const store: Pick<RecordStore, 'read'> = {
    async read(_, { direction, from, most }) {
      const at = from?.requestedMs;
      const piece =
        direction === 'older'
          ? runs.slice(Math.max(0, (at ?? count) - most), at ?? count).toReversed()
          : runs.slice((at ?? -1) + 1, (at ?? -1) + 1 + most);
      readRuns += piece.length;
      return piece;
    },
  };
  return { store, read: () => readRuns };
}

const numbers = ({ runs }: LookedUp) => runs.map(({ requestedMs }) => requestedMs);
const all = () => true;

async function walk(
  store: Pick<RecordStore, 'read'>,
  isWanted: (run: RecordedRun) => boolean,
): Promise<LookedUp[]> {
  const pages: LookedUp[] = [];
  let page: Page | undefined;
  for (let turns = 0; turns < 1_000; turns += 1) {
    const looked = await lookUp(store, extent, isWanted, page);
    pages.push(looked);
    if (!looked.older) return pages;
    page = { direction: 'older', from: looked.older };
  }
  throw new Error('it does not end');
}

describe('a page of the record', () => {
  test('is the newest runs, with a way to what is older, and none to what is newer', async () => {
    const looked = await lookUp(recordOf(60).store, extent, all);
    expect(numbers(looked)).toEqual(Array.from({ length: pageRuns }, (_, index) => 59 - index));
    expect(looked.older).toMatchObject({ requestedMs: 60 - pageRuns });
    expect(looked.newer).toBeUndefined();
  });

  test('that holds everything leads nowhere', async () => {
    for (const count of [0, 1, pageRuns]) {
      const looked = await lookUp(recordOf(count).store, extent, all);
      expect(Object.keys(looked)).toEqual(['runs']);
      expect(looked.runs).toHaveLength(count);
    }
  });

  test('leads through every wanted run once, and back by the same way', async () => {
    const wanted = fc.integer({ min: 1, max: 5 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_200 }), wanted, async (count, every) => {
        const { store } = recordOf(count);
        const isWanted = ({ requestedMs }: RecordedRun) => requestedMs % every === 0;
        const pages = await walk(store, isWanted);
        const expected = Array.from({ length: count }, (_, index) => count - 1 - index);
        expect(pages.flatMap(numbers)).toEqual(expected.filter((number) => number % every === 0));
        let { newer } = pages.at(-1) ?? {};
        for (const there of pages.slice(0, -1).toReversed()) {
          if (!newer) throw new Error('there is no way back');
          const back = await lookUp(store, extent, isWanted, { direction: 'newer', from: newer });
          expect(numbers(back)).toEqual(numbers(there));
          newer = back.newer;
        }
        expect(newer).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  test('of a long record reads little of it', async () => {
    const record = recordOf(100_000);
    await lookUp(record.store, extent, all);
    expect(record.read()).toBeLessThan(100);
  });

  test('gives up where few are wanted, says how far it looked, and goes on from there', async () => {
    const record = recordOf(100_000);
    const looked = await lookUp(record.store, extent, ({ requestedMs }) => requestedMs < 3);
    expect(record.read()).toBe(5_050);
    expect(looked).toEqual({ runs: [], older: expect.anything(), lookedToMs: 94_950 });
    const pages = await walk(record.store, ({ requestedMs }) => requestedMs < 3);
    expect(pages.flatMap(numbers)).toEqual([2, 1, 0]);
  });
});
