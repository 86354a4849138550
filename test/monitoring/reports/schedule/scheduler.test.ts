import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
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

describe('an occurrence that was due while no process ran', () => {
  test('is posted late, once, until a quarter of its period has passed', async () => {
    const world = createFixture(false);
    await world.plan('morning', daily);
    await world.advanceTo(dueMs + 6 * hourMs - minuteMs);
    const process = await world.startProcess();
    await world.advanceTo(dueMs + 12 * hourMs);
    expect(world.posts).toMatchObject([{ dueMs, atMs: dueMs + 6 * hourMs - minuteMs + 20_000 }]);
    await process.stop();
  });

  test('is skipped after that, and the next report says so', async () => {
    const world = createFixture(false);
    await world.plan('morning', daily);
    await world.advanceTo(dueMs + 6 * hourMs);
    await world.startProcess();
    await world.advanceTo(dueMs + 2 * dayMs);
    expect(world.posts).toEqual([
      { name: 'morning', dueMs: dueMs + dayMs, atMs: dueMs + dayMs, skippedSinceMs: dueMs },
      { name: 'morning', dueMs: dueMs + 2 * dayMs, atMs: dueMs + 2 * dayMs, skippedSinceMs: null },
    ]);
  });
});

test('an occurrence that a person has skipped is passed over, and not called missed', async () => {
  const world = createFixture(false);
  const report = await world.plan('morning', daily);
  await world.reports.skip(report, dueMs, 'U0BOB');
  await world.startProcess();
  await world.advanceTo(dueMs + dayMs);
  expect(world.posts).toEqual([
    { name: 'morning', dueMs: dueMs + dayMs, atMs: dueMs + dayMs, skippedSinceMs: null },
  ]);
});

test('the first of several occurrences that were missed is remembered', async () => {
  const world = createFixture(false);
  const { id } = await world.plan('morning', daily);
  await world.advanceTo(dueMs + 7 * hourMs);
  const first = await world.startProcess();
  await first.stop();
  await world.advanceTo(dueMs + dayMs + 7 * hourMs);
  await world.startProcess();
  expect(await world.reports.get(id)).toMatchObject({ nextMs: dueMs + 2 * dayMs, skippedSinceMs: dueMs });
});

describe('a report that is changed while it is collected', () => {
  test.each(['pause', 'delete', 'edit'] as const)('by %s is not posted in its old form', async (act) => {
    const world = createFixture(false, { leadTimeMs: 10 * minuteMs });
    const report = await world.plan('morning', daily);
    await world.startProcess();
    await world.advanceTo(dueMs - 5 * minuteMs);
    const plan = { ...report, timing: { ...daily, at: '12:00' } };
    if (act === 'pause') {
      await world.reports.pause(report, { reason: 'person', byUserId: 'U0BOB' }, world.clock.now());
    } else if (act === 'delete') await world.reports.delete(report, { byUserId: 'U0BOB' }, world.clock.now());
    else await world.reports.edit(report, plan, world.clock.now());
    await world.advanceTo(dueMs + 12 * hourMs);
    expect(world.posts.map(({ atMs }) => atMs)).toEqual(act === 'edit' ? [dueMs + 3 * hourMs] : []);
    expect(world.log.error).not.toHaveBeenCalled();
  });
});

describe('a report that fails', () => {
  test('is retried, and is on time if its lead time allows', async () => {
    const world = createFixture(false, { leadTimeMs: 10 * minuteMs });
    await world.plan('morning', daily);
    const attempts: number[] = [];
    await world.startProcess({
      async handler(_report, due) {
        attempts.push(attempts.length + 1);
        if (attempts.length < 4) throw new Error('the database was away');
        await due.finish(async () => undefined);
      },
    });
    await world.advanceTo(dueMs + minuteMs);
    expect(attempts).toEqual([1, 2, 3, 4]);
    expect(await world.reports.find('T0ACME', 'morning')).toMatchObject({ lastFinishedDueMs: dueMs });
  });

  test('is retried until a quarter of its period has passed, and then counts as skipped', async () => {
    const world = createFixture(false);
    await world.plan('morning', daily);
    const attempts: { readonly atMs: number; readonly willRetry: boolean }[] = [];
    await world.startProcess({
      async handler(_report, due) {
        attempts.push({ atMs: world.clock.now() - dueMs, willRetry: due.willRetry() });
        throw new Error('never');
      },
    });
    await world.advanceTo(dueMs + 20 * hourMs);
    expect(attempts.length).toBeGreaterThan(36);
    expect(attempts.slice(0, -1).every(({ willRetry }) => willRetry)).toBe(true);
    expect(attempts.at(-1)).toEqual({ atMs: 6 * hourMs - 15_000, willRetry: false });
    expect(await world.reports.find('T0ACME', 'morning')).toMatchObject({
      state: { kind: 'active' },
      nextMs: dueMs + dayMs,
      skippedSinceMs: dueMs,
    });
  });

  test('is given up if it has ended ten processes, and then counts as skipped', async () => {
    const world = createFixture(false, { collectMs: 0 });
    await world.plan('morning', daily);
    await world.advanceTo(dueMs);
    let begun = 0;
    const handler = () => {
      begun += 1;
      return new Promise<undefined>(() => {});
    };
    for (let life = 0; life < 12; life += 1) {
      const process = await world.startProcess({ handler });
      process.kill();
    }
    expect(begun).toBe(10);
    expect(await world.reports.find('T0ACME', 'morning')).toMatchObject({
      state: { kind: 'active' },
      nextMs: dueMs + dayMs,
      skippedSinceMs: dueMs,
    });
  });

  test.each([
    ['before it is due', -2 * minuteMs, 'zone is known no more', { ...daily, zone: 'Mars/Olympus' }],
    ['after it was due', minuteMs, 'zone is known no more', { ...daily, zone: 'Mars/Olympus' }],
    ['before it is due', -2 * minuteMs, 'schedule is of a later version', { every: 'fortnight' }],
  ])(
    '%s: %d ms, because its %s, is paused and does not delay others',
    async (_when, asideMs, _why, unknown) => {
      const world = createFixture(false);
      const { id } = await world.plan('lost', daily);
      await world.plan('morning', daily);
      const facts = JSON.stringify({ timing: unknown, content: {} });
      await database.db.updateTable('plan').set({ spec: facts }).where('id', '=', id).execute();
      await world.advanceTo(dueMs + asideMs);
      await world.startProcess();
      await world.advanceTo(dueMs + 3 * minuteMs);
      expect(world.posts).toMatchObject([{ name: 'morning' }]);
      expect((await world.reports.get(id))?.state).toMatchObject({
        kind: 'paused',
        reason: 'schedule',
        byUserId: null,
      });
    },
  );
});
