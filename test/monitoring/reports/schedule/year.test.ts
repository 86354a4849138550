import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/engines/database.ts';
import type { When } from '../../../../src/time/when.ts';
import { expectedTimes, type WallTime } from '../../../time/quarter-hours.ts';
import { createSchedulerFixture, type SchedulerFixture } from './scheduler-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const startMs = Date.parse('2026-06-01T00:00Z');
const endMs = Date.parse('2027-06-01T00:00Z');

const zones = ['Europe/Berlin', 'Australia/Lord_Howe'];

const kinds: readonly {
  name: string;
  timing: (zone: string) => When;
  isDue: (wall: WallTime) => boolean;
}[] = [
  {
    name: 'daily',
    timing: (zone) => ({ kind: 'day', at: '02:15', zone, quiet: [] }),
    isDue: ({ time }) => time === '02:15',
  },
  {
    name: 'weekly',
    timing: (zone) => ({ kind: 'week', days: ['sun', 'wed'], at: '02:00', zone, quiet: [] }),
    isDue: ({ time, weekday }) => time === '02:00' && [0, 3].includes(weekday),
  },
  {
    name: 'monthly',
    timing: (zone) => ({ kind: 'month', day: 31, at: '09:00', zone, quiet: [] }),
    isDue: ({ time, isLastOfMonth }) => time === '09:00' && isLastOfMonth,
  },
];

const due = new Map<string, readonly number[]>(
  zones.flatMap((zone) =>
    kinds.map(
      ({ name, isDue }) => [`${name} in ${zone}`, expectedTimes(zone, isDue, startMs, endMs)] as const,
    ),
  ),
);

/** How a process ends. */
interface Restart {
  readonly atMs: number;
  readonly end: 'stop' | 'kill';
}

async function addAllReports(world: SchedulerFixture): Promise<void> {
  for (const zone of zones) {
    for (const { name, timing } of kinds) await world.plan(`${name} in ${zone}`, timing(zone));
  }
}

/** Simulates a year in which the process ends at each of these moments, and a new one starts at once. */
async function runThrough(world: SchedulerFixture, restarts: readonly Restart[]): Promise<void> {
  let process = await world.startProcess();
  for (const { atMs, end } of restarts) {
    await world.advanceTo(atMs);
    if (end === 'stop') await process.stop();
    else process.kill();
    process = await world.startProcess();
  }
  await world.advanceTo(endMs);
  await process.stop();
}

const restart = fc.record({
  // Half of them are close to a report's due time.
  atMs: fc.oneof(
    fc.integer({ min: startMs + hourMs, max: endMs - hourMs }),
    fc
      .tuple(
        fc.constantFrom(...[...due.values()].flat().slice(10, -10)),
        fc.integer({ min: -70_000, max: 5_000 }),
      )
      .map(([dueMs, aside]) => dueMs + aside),
  ),
  end: fc.constantFrom('stop', 'kill'),
});

describe('a year of daily, weekly and monthly reports in two zones', () => {
  test('includes both clock changes of each zone', () => {
    for (const zone of zones) expect(due.get(`daily in ${zone}`)).toHaveLength(365);
    const minutes = (name: string) => new Set(due.get(name)?.map((atMs) => new Date(atMs).getUTCMinutes()));
    expect(minutes('daily in Europe/Berlin')).toEqual(new Set([15, 0]));
    expect(minutes('daily in Australia/Lord_Howe').size).toBeGreaterThan(1);
  });

  test('posts each report once, at its time, whenever processes stop or are killed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(restart, { minLength: 20, maxLength: 30 }), async (restarts) => {
        const { db, close } = await openDatabase('sqlite::memory:');
        const world = createSchedulerFixture({ db, startMs, hasReplicas: false, maxSleepMs: 6 * hourMs });
        await addAllReports(world);
        await runThrough(
          world,
          restarts.toSorted((one, other) => one.atMs - other.atMs),
        );
        await close();
        for (const [name, moments] of due) {
          const posts = world.posts.filter((post) => post.name === name);
          expect(posts.map(({ dueMs }) => dueMs)).toEqual(moments);
          for (const { atMs, dueMs, skippedSinceMs } of posts) {
            expect(Math.floor(atMs / minuteMs)).toBe(Math.floor(dueMs / minuteMs));
            expect(skippedSinceMs).toBeNull();
          }
        }
        expect(world.log.error).not.toHaveBeenCalled();
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });
});
