import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import { defaultLeaseMs } from '../../../../src/jobs/job-kind.ts';
import type { Recurrence } from '../../../../src/monitoring/reports/schedule/recurrence.ts';
import { createSchedulerFixture } from './scheduler-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const startMs = Date.parse('2026-11-23T08:00Z');
/** Monday at 9. */
const dueMs = startMs + hourMs;

const daily: Recurrence = { every: 'day', at: '09:00', zone: 'UTC', quiet: [] };

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
      expect(world.posts[0]?.atMs).toBeLessThanOrEqual(dueMs + defaultLeaseMs + minuteMs);
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

  test('one that stops right before posting hands the occurrence over, although the post succeeds', async () => {
    const world = createFixture(true, { leadTimeMs: 2 * minuteMs });
    const report = await world.plan('morning', daily);
    let canPost: boolean | undefined;
    const one = await world.startProcess({
      async handler(_report, due) {
        await new Promise((resolve) => due.signal.addEventListener('abort', resolve));
        canPost = await due.markPosting();
        return undefined;
      },
    });
    await world.advanceTo(dueMs);
    await one.stop();
    expect(canPost).toBe(false);
    expect(await world.reports.get(report.id)).toMatchObject({ lastFinishedDueMs: null });
    const { posting_at } = await database.db
      .selectFrom('report')
      .select('posting_at')
      .executeTakeFirstOrThrow();
    expect(posting_at).toBeNull();
    await world.startProcess();
    await world.advanceTo(dueMs + minuteMs);
    expect(world.posts).toMatchObject([{ dueMs, atMs: dueMs + 20_000 }]);
  });

  test('one that stops hands its occurrences over at once', async () => {
    const world = createFixture(true, { leadTimeMs: 2 * minuteMs });
    await world.plan('morning', daily);
    const one = await world.startProcess();
    await world.advanceTo(dueMs - minuteMs);
    await one.stop();
    await world.startProcess();
    expect(world.begun()).toBe(2);
    await world.advanceTo(dueMs);
    expect(world.posts).toMatchObject([{ atMs: dueMs }]);
    const row = await database.db.selectFrom('job').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ claim_token: null, attempts: 0 });
  });

  test('a process that has lost its lease does not finish a report that it did not post', async () => {
    const fixture = createFixture(true, { leadTimeMs: 2 * minuteMs });
    const report = await fixture.plan('morning', daily);
    let hasResolved = false;
    const one = await fixture.startProcess({
      async handler(_report, due) {
        await new Promise((resolve) => due.signal.addEventListener('abort', resolve));
        hasResolved = true;
        return undefined;
      },
    });
    await fixture.advanceTo(dueMs - minuteMs);
    const stolen = { claim_token: 'of another process', claimable_at: dueMs + hourMs };
    await database.db.updateTable('job').set(stolen).execute();
    await fixture.advanceTo(dueMs - minuteMs / 2);
    expect(hasResolved).toBe(true);
    expect((await fixture.reports.get(report.id))?.lastFinishedDueMs).toBeNull();
    expect(await database.db.selectFrom('job').selectAll().execute()).toMatchObject([stolen]);
    await one.stop();
  });
});
