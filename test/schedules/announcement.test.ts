import { expect, test } from 'vitest';
import { createScheduleFixture } from './schedule-fixture.ts';

const minuteMs = 60_000;

test('an occurrence is announced although Slack did not say at first whether its creator is a member', async () => {
  const { hooks, posted, createProcess, add, advance } = await createScheduleFixture();
  await add('nightly', { announceMs: 10 * minuteMs });
  let callCount = 0;
  hooks.findMemberType = async () => {
    callCount += 1;
    return callCount === 1 ? 'unknown' : 'member';
  };
  await createProcess('A').start();
  await advance(59 * minuteMs);
  expect(posted).toEqual(['⏰ Scheduled: Reboot']);
});
