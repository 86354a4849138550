import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/db/engines/database.ts';
import { createSchedulerFixture } from './scheduler-fixture.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.parse('2026-11-23T08:00Z');
/** Monday at 9. */
const dueMs = startMs + hourMs;

async function createFixture() {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const world = createSchedulerFixture({ db, startMs, hasReplicas: false });
  await world.plan('morning', { every: 'day', at: '09:00', zone: 'UTC', quiet: [] });
  return world;
}

test.each([
  { name: 'soon after the time of an occurrence', aheadMs: 30 * dayMs + 2 * hourMs, missed: [] },
  { name: 'long after it', aheadMs: 30 * dayMs + 12 * hourMs, missed: [dueMs] },
])('a clock that is 30 days ahead for two minutes, $name, leaves a report its times', async (given) => {
  const world = await createFixture();
  const process = await world.startProcess();
  world.clock.jumpTo(startMs + given.aheadMs);
  await world.advanceTo(startMs + given.aheadMs + 120_000);
  const before = world.posts.splice(0);
  expect(before.map((post) => post.dueMs)).toEqual(given.missed.length > 0 ? [] : [dueMs + 30 * dayMs]);
  world.clock.jumpTo(startMs + 120_000);
  await world.advanceTo(startMs + 3 * dayMs);
  const times = [0, 1, 2].map((day) => dueMs + day * dayMs).filter((atMs) => !given.missed.includes(atMs));
  expect(world.posts).toEqual(
    times.map((atMs, index) => ({
      name: 'morning',
      dueMs: atMs,
      atMs,
      skippedSinceMs: index === 0 ? (given.missed[0] ?? null) : null,
    })),
  );
  await process.stop();
});

test('a clock that is set back an hour repeats no report', async () => {
  const world = await createFixture();
  const process = await world.startProcess();
  await world.advanceTo(dueMs + 60_000);
  world.clock.jumpTo(dueMs - hourMs + 60_000);
  await world.advanceTo(dueMs + dayMs);
  expect(world.posts.map(({ atMs }) => atMs)).toEqual([dueMs, dueMs + dayMs]);
  await process.stop();
});

test('a clock that is decades behind for two minutes makes no report miss a time', async () => {
  const world = await createFixture();
  world.clock.jumpTo(60_000);
  const process = await world.startProcess();
  await world.advanceTo(180_000);
  world.clock.jumpTo(startMs);
  await world.advanceTo(dueMs + 60_000);
  expect(world.posts).toEqual([{ name: 'morning', dueMs, atMs: dueMs, skippedSinceMs: null }]);
  await process.stop();
});
