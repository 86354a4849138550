import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toRunDurations } from '../../src/audit/audit-entry.ts';
import type { AuditCursor } from '../../src/audit/audit-store.ts';
import { createAuditStore } from '../../src/audit/audit-store.ts';
import {
  type ActiveSubscription,
  createAuditSubscriptionStore,
} from '../../src/audit/subscriptions/audit-subscription-store.ts';
import { createRowReader } from '../../src/db/row-reader.ts';
import { databases, useTestDatabase } from '../db/test-database.ts';
import { describeFilteredPages } from './history/filtered-pages-suite.ts';
import { insertRuns } from './insert-runs.ts';
import { describeSettledRuns } from './settled-runs-suite.ts';

describe.each(databases)('the activity log in $name', ({ start }) => {
  const database = useTestDatabase(start);

  const insert = (...runs: Parameters<typeof insertRuns>[1]) => insertRuns(database.db, runs);
  const listIds = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id);

  describe('read in batches', () => {
    test('returns every run once, in either direction, even if several share a time', async () => {
      const store = createAuditStore(database.db);
      const run = fc.record({ requested_at: fc.integer({ min: 1, max: 5 }) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(run, { maxLength: 30 }),
          fc.integer({ min: 1, max: 7 }),
          fc.constantFrom('older' as const, 'newer' as const),
          async (runs, limit, direction) => {
            await database.db.deleteFrom('run').execute();
            await insert(...runs.map((run, index) => ({ ...run, id: `run-${index}` })));
            const read: string[] = [];
            let from: AuditCursor | undefined;
            for (;;) {
              const { entries, next } = await store.read({ teamId: 'T1' }, { direction, from, limit });
              read.push(...listIds(entries));
              if (!next) break;
              from = next;
            }
            expect(read.toSorted()).toEqual(runs.map((_, index) => `run-${index}`).sort());
            const times = read.map((id) => runs[Number(id.slice(4))]?.requested_at ?? 0);
            expect(times).toEqual(times.toSorted((a, b) => (direction === 'older' ? b - a : a - b)));
          },
        ),
        { numRuns: 25 },
      );
    });

    test('filters by workspace, person and time', async () => {
      const store = createAuditStore(database.db);
      await insert(
        { id: 'a', requested_at: 1 },
        { id: 'b', requested_at: 2, user_id: 'U2' },
        { id: 'c', requested_at: 3 },
        { id: 'd', requested_at: 2, team_id: 'T2' },
      );
      const read = async (query: object) =>
        listIds((await store.read({ teamId: 'T1', ...query }, { direction: 'older', limit: 9 })).entries);
      expect(await read({})).toEqual(['c', 'b', 'a']);
      expect(await read({ userId: 'U1' })).toEqual(['c', 'a']);
      expect(await read({ sinceMs: 2 })).toEqual(['c', 'b']);
      expect(await read({ untilMs: 2 })).toEqual(['b', 'a']);
      expect(await read({ teamId: 'T3' })).toEqual([]);
    });

    test('measures a reboot until its end was seen, and not until its request was answered', async () => {
      const rebooted = { isFinished: true, endedMs: 6_000, text: 'VPS-10001 is running.' };
      await insert(
        { id: 'a', queued_at: 1_000, settled_at: 1_053, progress: JSON.stringify(rebooted) },
        {
          id: 'b',
          queued_at: 1_000,
          settled_at: 1_053,
          progress: JSON.stringify({ ...rebooted, isEndUnknown: true, endedMs: undefined }),
        },
      );
      const store = createAuditStore(database.db);
      const { entries } = await store.read({ teamId: 'T1' }, { direction: 'older', limit: 9 });
      const tookMs = entries.map((entry) => [entry.id, toRunDurations(entry).workMs]);
      expect(Object.fromEntries(tookMs)).toEqual({ a: 5_000, b: null });
    });

    test('keeps what can be read of damaged runs, and names them once in the log', async () => {
      await insert(
        { id: 'a', requested_at: 1, input: '{"vps":' },
        { id: 'b', requested_at: 2, origin: 'nowhere' },
        { id: 'c', requested_at: 3, outcome: '{"kind":"of a later version"}' },
        { id: 'd', requested_at: 4, display_names: '' },
        { id: 'e', requested_at: 5 },
      );
      const errors: unknown[] = [];
      const rowReader = createRowReader({ error: (row: unknown) => errors.push(row) });
      const store = createAuditStore(database.db, rowReader);
      for (let time = 0; time < 2; time += 1) {
        const { entries } = await store.read({ teamId: 'T1' }, { direction: 'newer', limit: 9 });
        expect(listIds(entries)).toEqual(['a', 'b', 'c', 'd', 'e']);
        expect(entries.map(({ isUnreadable = false }) => isUnreadable)).toEqual([
          true,
          true,
          true,
          true,
          false,
        ]);
        expect(entries[0]).toMatchObject({
          operation: 'reboot',
          status: 'done',
          input: {},
          requestedMs: 1,
        });
      }
      expect(errors).toMatchObject(['a', 'b', 'c', 'd'].map((id) => ({ table: 'run', id })));
    });
  });

  describe("with a channel's subscription", () => {
    const subscription = { teamId: 'T1', channel: 'C1', createdBy: 'U1', createdMs: 1_000 };

    async function subscribe() {
      const subscriptions = createAuditSubscriptionStore(database.db);
      await subscriptions.save(subscription);
      const findActive = async (): Promise<ActiveSubscription> => {
        const [first] = await subscriptions.listActive();
        if (!first) throw new Error('there is no subscription');
        return first;
      };
      return { subscriptions, findActive };
    }

    test('delivers runs that settled since the subscription, once, oldest first', async () => {
      const { subscriptions, findActive } = await subscribe();
      await insert(
        { id: 'before', settled_at: 999 },
        { id: 'c', settled_at: 1_300 },
        { id: 'a', settled_at: 1_000 },
        { id: 'b', settled_at: 1_200 },
        { id: 'waiting', status: 'waiting', settled_at: null },
        { id: 'elsewhere', team_id: 'T2', settled_at: 1_200 },
      );
      const first = await subscriptions.listUndelivered(await findActive(), 2);
      expect(listIds(first)).toEqual(['a', 'b']);
      await subscriptions.markDelivered(await findActive(), first, database.db);
      const second = await subscriptions.listUndelivered(await findActive(), 2);
      expect(listIds(second)).toEqual(['c']);
      await subscriptions.markDelivered(await findActive(), second, database.db);
      expect(await subscriptions.listUndelivered(await findActive(), 2)).toEqual([]);
    });

    test('delivers an entry once, even if a process was frozen while it delivered it', async () => {
      const { subscriptions, findActive } = await subscribe();
      await insert({ id: 'a', settled_at: 1_000 });
      const seen = await findActive();
      const first = await subscriptions.listUndelivered(seen, 2);
      const results = await Promise.all(
        [0, 1].map(() => subscriptions.markDelivered(seen, first, database.db)),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      await insert({ id: 'late', settled_at: 1_000 });
      const next = await findActive();
      const delivered = await subscriptions.markDelivered(
        next,
        await subscriptions.listUndelivered(next, 2),
        database.db,
      );
      // The time names the message, so it is never used again.
      expect(delivered?.deliveredUntilMs).toBeGreaterThan(next.deliveredUntilMs);
    });

    test('delivers late entries, and runs that settle again', async () => {
      const { subscriptions, findActive } = await subscribe();
      await insert({ id: 'b', status: 'unknown', settled_at: 60_000 });
      await subscriptions.markDelivered(
        await findActive(),
        await subscriptions.listUndelivered(await findActive(), 9),
        database.db,
      );
      await insert({ id: 'late', settled_at: 50_000 });
      await database.db
        .updateTable('run')
        .set({ status: 'done', settled_at: 61_000 })
        .where('id', '=', 'b')
        .execute();
      expect(listIds(await subscriptions.listUndelivered(await findActive(), 9))).toEqual(['late', 'b']);
    });

    test('deletes delivery marks once no late entry can come', async () => {
      const { subscriptions, findActive } = await subscribe();
      const hourMs = 3_600_000;
      for (const [id, settled_at] of [
        ['a', 2_000],
        ['b', hourMs],
      ] as const) {
        await insert({ id, settled_at });
        await subscriptions.markDelivered(
          await findActive(),
          await subscriptions.listUndelivered(await findActive(), 9),
          database.db,
        );
      }
      const marks = await database.db.selectFrom('audit_delivery').select('run_id').execute();
      expect(marks).toEqual([{ run_id: 'b' }]);
      expect(await subscriptions.listUndelivered(await findActive(), 9)).toEqual([]);
    });

    test('is replaced by another channel, and removed once', async () => {
      const { subscriptions, findActive } = await subscribe();
      const old = await findActive();
      const next = { ...subscription, channel: 'C2', createdMs: 3_000 };
      await subscriptions.save(next);
      expect(await subscriptions.remove(old)).toBe(false);
      expect(await subscriptions.find('T1')).toEqual(next);
      const removals = await Promise.all([subscriptions.remove(next), subscriptions.remove(next)]);
      expect(removals.filter(Boolean)).toHaveLength(1);
      expect(await subscriptions.find('T1')).toBeUndefined();
    });
  });

  describeFilteredPages(database);

  describeSettledRuns(database);
});
