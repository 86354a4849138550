import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import { leaseMs } from '../../../../src/jobs/job-store.ts';
import type { When } from '../../../../src/time/when.ts';
import { createSchedulerFixture } from './scheduler-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const startMs = Date.parse('2026-11-23T08:00Z');
/** Monday at 9. */
const dueMs = startMs + hourMs;

const daily: When = { kind: 'day', at: '09:00', zone: 'UTC', quiet: [] };

let database: OpenDatabase;
beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});
afterEach(() => database.close());

const createFixture = (hasReplicas: boolean, more: { leadTimeMs?: number; collectMs?: number } = {}) =>
  createSchedulerFixture({ db: database.db, startMs, hasReplicas, ...more });

describe('with two processes', () => {
  test('each occurrence is claimed by one', async () => {
    const world = createFixture(true);
    for (const name of ['one', 'two', 'three', 'four']) await world.plan(name, daily);
    await Promise.all([world.startProcess(), world.startProcess()]);
    await world.advanceTo(dueMs + 4 * dayMs);
    expect(world.begun()).toBe(4 * 5);
    expect(world.posts).toHaveLength(4 * 5);
  });

  test('one continues when the other is killed, after its lease has ended', async () => {
    const world = createFixture(true, { leadTimeMs: 2 * minuteMs });
    await world.plan('morning', daily);
    const [one] = [await world.startProcess(), await world.startProcess()];
    await world.advanceTo(dueMs - minuteMs);
    one.kill();
    await world.advanceTo(dueMs + dayMs);
    expect(world.begun()).toBe(3);
    expect(world.posts.map(({ atMs }) => atMs)).toEqual([dueMs, dueMs + dayMs]);
  });

  test.each(['mark', 'post'] as const)(
    'one continues when the other dies after its %s: nothing is lost or repeated',
    async (dieAt) => {
      const world = createFixture(true);
      await world.plan('morning', daily);
      await world.startProcess({ dieAt });
      await world.startProcess();
      await world.advanceTo(dueMs + 5 * minuteMs);
      expect(world.begun()).toBe(2);
      expect(world.posts).toHaveLength(1);
      expect(world.posts[0]?.atMs).toBeLessThanOrEqual(dueMs + leaseMs + minuteMs);
    },
  );

  test('one that was frozen beyond its lease is not allowed to post', async () => {
    const world = createFixture(true, { leadTimeMs: 2 * minuteMs });
    await world.plan('morning', daily);
    let markFrozen: (() => Promise<boolean>) | undefined;
    const frozen = await world.startProcess({
      handler: (_report, due) => {
        markFrozen = due.markPosting;
        return new Promise(() => {});
      },
    });
    await world.advanceTo(dueMs - minuteMs);
    await database.db.updateTable('job').set({ claimable_at: 0 }).execute();
    await world.startProcess();
    await world.advanceTo(dueMs + minuteMs);
    expect(await markFrozen?.()).toBe(false);
    expect(world.posts).toHaveLength(1);
    frozen.kill();
  });
});
