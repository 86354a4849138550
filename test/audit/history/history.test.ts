import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/audit/audit-entry.ts';
import type { AuditStore } from '../../../src/audit/audit-store.ts';
import { type AuditPage, findAuditPage } from '../../../src/audit/history/find-audit-page.ts';
import { formatHistory } from '../../../src/audit/history/format-history.ts';
import {
  formatPage,
  historyArguments,
  type PageRequest,
  parseSince,
} from '../../../src/audit/history/history-arguments.ts';
import { inputSchema } from '../../../src/operations/define/arguments/argument.ts';
import { createAuditEntry } from '../audit-fixture.ts';

const query = { teamId: 'T0ACME' };

/** A log with one run per millisecond, which counts the runs that are read. */
function createStore(count: number) {
  const runs = Array.from({ length: count }, (_, index) =>
    createAuditEntry({ id: `run-${String(index).padStart(6, '0')}`, requestedMs: index }),
  );
  let readRuns = 0;
  const store: Pick<AuditStore, 'read'> = {
    async read(_, { direction, from, limit }) {
      const at = from?.requestedMs;
      const batch =
        direction === 'older'
          ? runs.slice(Math.max(0, (at ?? count) - limit), at ?? count).toReversed()
          : runs.slice((at ?? -1) + 1, (at ?? -1) + 1 + limit);
      readRuns += batch.length;
      const last = batch.at(-1);
      return { entries: batch, ...(last && batch.length === limit && { next: last }) };
    },
  };
  return { store, countReadRuns: () => readRuns };
}

const listNumbers = ({ entries }: AuditPage) => entries.map(({ requestedMs }) => requestedMs);

async function readAllPages(
  store: Pick<AuditStore, 'read'>,
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

const schema = inputSchema(historyArguments);
const parse = (raw: object) => schema.parse(raw);
const findError = (raw: object) => schema.safeParse(raw).error?.issues[0]?.message;

describe('the arguments of history', () => {
  test('accept a VPS and a person in either order', () => {
    const both = { vps: 'VPS-10001', userId: 'U0BOB' };
    expect(parse({ about: 'VPS-10001 @U0BOB' }).about).toEqual(both);
    expect(parse({ about: '@U0BOB VPS-10001' }).about).toEqual(both);
    expect(parse({ about: '@W0BOB' }).about).toEqual({ userId: 'W0BOB' });
  });

  test.each([
    ['@bob', "isn't a person"],
    ['VPS-10001 VPS-10002', 'one VPS'],
    ['@U0BOB @U0ALICE', 'one person'],
  ])('reject "%s"', (about, words) => {
    expect(findError({ about })).toContain(words);
  });

  test('accept a channel as Slack delivers it, or off', () => {
    expect(parse({ to: '#C0OPS' }).to).toBe('C0OPS');
    expect(parse({ to: 'Off' }).to).toBe('off');
    expect(findError({ to: '#ops-log' })).toContain('#ops-log');
    expect(findError({ to: '@U0BOB' })).toContain("doesn't know the channel");
    expect(findError({ to: 'D0DIRECT' })).toContain("doesn't know the channel");
  });

  test('accept a page as the buttons set it', () => {
    const from = { requestedMs: 1_795_000_000_123, id: '1a-2b' };
    expect(parse({ page: formatPage('newer', from) }).page).toEqual({ direction: 'newer', from });
    expect(findError({ page: 'older' })).toContain('Only the Older and Newer buttons');
  });
});

describe('a start time', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');

  test.each([
    ['30m', '2026-11-21T11:30:00.000Z'],
    ['12h', '2026-11-21T00:00:00.000Z'],
    ['7D', '2026-11-14T12:00:00.000Z'],
    ['2w', '2026-11-07T12:00:00.000Z'],
    ['2026-11-01', '2026-10-31T23:00:00.000Z'],
    ['2026-07-01', '2026-06-30T22:00:00.000Z'],
  ])('%s is %s for a person in Berlin', (typed, time) => {
    const since = parse({ since: typed }).since ?? '';
    expect(new Date(parseSince(since, nowMs, 'Europe/Berlin')).toISOString()).toBe(time);
  });

  test.each(['7', 'd7', '7 days', 'yesterday', '2026-13-01', '-1d', '99999d'])(
    '"%s" is rejected',
    (since) => {
      expect(findError({ since })).toContain('A time looks like');
    },
  );
});

const filters = { subject: {}, isFailedOnly: false, kind: undefined, target: undefined, since: undefined };
const reader = {
  findPersonName: async (id: string) => id,
  labelVps: (text: string) => text,
  canExport: false,
};

async function tabulate(...entries: readonly AuditEntry[]) {
  const { table } = await formatHistory({ entries }, filters, reader);
  return table;
}

test('shows the wait for a click apart from the work', async () => {
  const confirmed = createAuditEntry({ requestedMs: 0, queuedMs: 40_000, settledMs: 40_300 });
  const direct = createAuditEntry({ requestedMs: 0, queuedMs: 20, settledMs: 120 });
  const table = await tabulate(confirmed, direct);
  expect(table?.columns).toEqual(['Who', 'Outcome', 'What', 'When', 'Waited', 'Took']);
  expect(table?.rows.map((row) => row.slice(4))).toEqual([
    [{ kind: 'duration', durationMs: 40_000 }, '300 ms'],
    ['–', '100 ms'],
  ]);
});

test('shows what was cancelled, declined or mistyped as such', async () => {
  const ended = { status: 'refused', queuedMs: null, sentMs: null } as const;
  const table = await tabulate(
    createAuditEntry({ ...ended, errorCode: 'cancelled' }),
    createAuditEntry({ ...ended, errorCode: 'cancelled', declinedBy: 'U0ALICE' }),
    createAuditEntry({ ...ended, errorCode: 'cancelled', declinedBy: 'U0BOB' }),
    createAuditEntry({ ...ended, errorCode: 'input_invalid' }),
    createAuditEntry({ ...ended, status: 'failed', errorCode: 'not_found' }),
    createAuditEntry({ status: 'failed', errorCode: 'not_found' }),
  );
  expect(table?.rows.map(([, outcome]) => outcome)).toEqual([
    '✖️ Cancelled',
    '✖️ Cancelled',
    '🚫 Declined',
    '✏️ Invalid input',
    '✏️ Invalid input',
    '❌ Failed',
  ]);
});
