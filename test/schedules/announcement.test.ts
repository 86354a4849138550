import { expect, test } from 'vitest';
import { createScheduleFixture, startMs } from './schedule-fixture.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('an occurrence is announced although Slack did not say at first what its creator can view', async () => {
  const { hooks, posted, createProcess, add, advance } = await createScheduleFixture();
  await add('nightly', { announceMs: 10 * minuteMs });
  let callCount = 0;
  hooks.findCreatorStanding = async () => {
    callCount += 1;
    return callCount === 1 ? 'unknown' : 'allowed';
  };
  await createProcess('A').start();
  await advance(59 * minuteMs);
  expect(posted).toEqual(['⏰ Scheduled: Reboot']);
});

test('a skipped time is reported as skipped although Rackhand was down at that time', async () => {
  const { clock, posted, store, createProcess, add, advance } = await createScheduleFixture();
  const schedule = await add('nightly');
  await store.skip(schedule, startMs + hourMs, 'U0BOB');
  clock.jumpTo(startMs + 2 * hourMs);
  await createProcess('A').start();
  await advance(minuteMs);
  expect(posted).toEqual([expect.stringContaining('Skipped: Reboot')]);
  expect(await store.get(schedule.id)).toMatchObject({ nextMs: startMs + 25 * hourMs });
});
