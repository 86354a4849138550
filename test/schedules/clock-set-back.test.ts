import { expect, test } from 'vitest';
import { createScheduleFixture, startMs } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

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
