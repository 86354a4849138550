import { expect, test } from 'vitest';
import { createScheduleFixture, startMs } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

test('an occurrence that has begun goes on at once after the clock was set back an hour', async () => {
  const { clock, posted, store, runs, hooks, createProcess, add, advance } = await createScheduleFixture();
  const { id } = await add('nightly');
  const { toRun } = hooks;
  hooks.toRun = () => ({ status: 'sent', settledMs: null, progress: null, result: null });
  const process = createProcess('A');
  await process.start();
  await advance(hourMs + minuteMs);
  expect((await store.get(id))?.occurrence).toMatchObject({ targets: [{ step: 'run' }] });
  await process.stop(0);

  for (const run of runs.values()) Object.assign(run, toRun('reboot'));
  clock.jumpTo(clock.now() - hourMs);
  await createProcess('B').start();
  await advance(5_000);
  expect(posted.at(-1)).toContain('✅');
  expect(await store.get(id)).toMatchObject({ occurrence: null, lastResult: { isOk: true } });
});

test('a clock that is set back does not begin an occurrence early', async () => {
  const { clock, posted, runs, createProcess, add, advance } = await createScheduleFixture();
  await add('nightly');
  const process = createProcess('A');
  await process.start();
  await advance(minuteMs);
  await process.stop(0);

  clock.jumpTo(startMs - hourMs);
  await createProcess('B').start();
  await advance(2 * hourMs - minuteMs, 5_000);
  expect({ posted, runs: runs.size }).toEqual({ posted: [], runs: 0 });
});

test.each([
  { atMs: startMs + 30 * dayMs, kind: 'between two occurrences' },
  { atMs: startMs + 30 * dayMs + hourMs - minuteMs, kind: 'while an occurrence begins' },
])('a clock that was 30 days ahead for two minutes, $kind, keeps a schedule going', async ({ atMs }) => {
  const { clock, runs, createProcess, add, advance } = await createScheduleFixture();
  await add('nightly');
  await createProcess('A').start();
  clock.jumpTo(atMs);
  await advance(2 * minuteMs, 5_000);
  clock.jumpTo(startMs + 2 * minuteMs);
  await advance(dayMs + 2 * hourMs, 10 * minuteMs);
  const begun = [...runs.keys()].map((key) => Number(key.split(':')[2])).filter((dueMs) => dueMs < atMs);
  expect(begun.at(-1)).toBe(startMs + hourMs + dayMs);
  expect(new Set(begun).size).toBe(begun.length);
});
